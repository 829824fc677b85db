"""Grammar scores of mutants and of their originals, for Figures 5 and 8 of the paper."""

from math import nan

import pandas as pd

from ..statistics import cluster_bootstrap, likely_bounds, paired_difference
from .columns import number_columns, with_bootstrap
from .groups import LEVEL
from .shown import in_points, titled

# An original counts once per mutant, so that both means are over the same pairs. Pairs are weighted
# by the tokens of the original, so that the length of the terms does not matter.
PAIRS = f"""
    SELECT dataset, mutant_id, concat(dataset, '/', original_id) AS cluster, "check", level,
        mutant, original,
        CASE WHEN mutant IS NOT NULL AND original IS NOT NULL THEN tokens END AS weight
    FROM (
        SELECT dataset, input_id AS mutant_id, original_id, grammar.sample AS "check",
            {LEVEL} AS level, score AS mutant
        FROM grammar WHERE grammar.sample <> 'original'
    )
    JOIN (
        SELECT dataset, input_id AS original_id, tokens, score AS original
        FROM grammar WHERE grammar.sample = 'original'
    ) USING (dataset, original_id)
"""
"""The sampled mutants with their originals; the weight is null if either has no score."""

# The order is fixed, as the last digits of sums depend on it.
SUMS = """
    count(weight) AS n, count(*) - count(weight) AS unscored,
    coalesce(sum(weight), 0)::DOUBLE AS weight,
    coalesce(sum(weight * original ORDER BY mutant_id), 0)::DOUBLE AS originals,
    coalesce(sum(weight * mutant ORDER BY mutant_id), 0)::DOUBLE AS mutants
"""
"""Over pairs: their number, their total weight and the weighted totals of both scores."""

SCORE, CHANGE = (0, 100), (-100, 100)
"""The bounds of a score, and of the difference of two."""

FEWEST = 10
"""With fewer originals, equivalence is not tested."""

COLUMNS = {
    "n": "mutants that have a score, as has their original",
    "originals": "originals of these mutants",
    "unscored": "mutants that have no score, or whose original has none",
    **with_bootstrap("score_originals", "mean score of the originals, by tokens of the original"),
    **with_bootstrap("score_mutants", "mean score of the mutants, over the same pairs"),
    **with_bootstrap("difference", "score_mutants - score_originals, in points of 100"),
}
"""The columns of `score_columns`, without those of a margin."""
SHOWN_SCORES = (
    titled(n="mutants", originals="originals", unscored="unscored"),
    in_points("score_originals", "score of originals", ends="{}: by original"),
    in_points("score_mutants", "score of mutants", ends="{}: by original"),
    in_points("difference", "difference", ends="{}: by original"),
)
"""The formatted columns of scores: points with 95 % intervals by original."""


def score_columns(
    sums: pd.DataFrame, *, seed: int, margin: float | None = None
) -> dict[str, float | bool | None]:
    """Return the columns of scores, given their `SUMS` by original.

    `n` mutants of `originals` originals have a score, as have their originals; `unscored` ones do
    not. `score_originals` and `score_mutants` are means over the same pairs, weighted by the tokens
    of the original, and `difference` is the mutants' mean minus the originals', in points of score;
    each has its 95 % cluster bootstrap by original (`_low`, `_high`). The column `margin` has the
    points of that many more matches in each text, and `equivalent` whether two one-sided tests at
    5 % show that the difference is within it (null for fewer than `FEWEST` originals).
    """
    scored = sums[sums["n"] > 0]
    weights = scored["weight"].tolist()
    columns: dict[str, float | bool | None] = {
        "n": int(scored["n"].sum()),
        "originals": len(scored),
        "unscored": int(sums["unscored"].sum()),
    }
    for name in ("originals", "mutants"):
        parts = scored[name].tolist()
        mean = sum(parts) / sum(weights) if any(weights) else nan
        bounds = likely_bounds(parts, weights, bounds=SCORE)
        interval = cluster_bootstrap(parts, weights, bounds=bounds, seed=seed)
        columns |= number_columns(f"score_{name}", mean, interval)
    differences = (scored["mutants"] - scored["originals"]).tolist()
    paired = paired_difference(differences, weights, bounds=CHANGE, seed=seed)
    columns |= number_columns("difference", paired.mean, paired.interval)
    if margin is not None:
        limit = 100 * margin * scored["n"].sum() / sum(weights) if any(weights) else nan
        equivalent = paired.equivalent_within(limit) if len(scored) >= FEWEST else None
        columns |= {"margin": round(limit, 6), "equivalent": equivalent}
    return columns
