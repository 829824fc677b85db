"""Figure 5 of the paper: grammar scores of originals and their valid mutants (RQ2)."""

from math import nan

import pandas as pd

from ...statistics import cluster_bootstrap, likely_bounds, paired_difference
from ..columns import number_columns, with_bootstrap
from ..groups import LEVEL, in_columns, name_totals, row_per_group
from ..shown import in_points, shown, titled
from ..table import Results, Table, query_results

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


# For `all` models, a mutant counts as biased if it is biased under any of them.
QUERY = f"""
    WITH pairs AS ({PAIRS}),
    scored_texts AS (
        SELECT model, dataset, mutant_id, biased FROM seen_verdicts WHERE valid
    ),
    outcomes AS (
        SELECT 'all' AS model, dataset, mutant_id, 'all' AS outcome FROM pairs
        UNION ALL
        SELECT coalesce(model, 'all'), dataset, mutant_id,
            CASE WHEN bool_or(biased) THEN 'biased' ELSE 'benign' END
        FROM scored_texts GROUP BY CUBE (model), dataset, mutant_id
    )
    SELECT model, dataset, level, outcome, cluster, {SUMS}
    FROM pairs JOIN outcomes USING (dataset, mutant_id)
    WHERE "check" = 'valid'
    GROUP BY CUBE (dataset), model, level, outcome, cluster
    ORDER BY model <> 'all', model, dataset NULLS FIRST, level,
        outcome <> 'all', outcome DESC, cluster
"""
KEYS = ["model", "dataset", "level", "outcome"]


def tabulate_grammar(
    grammar: Results, verdicts: Results, *, margin: float, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, level of mutants and outcome, of valid mutants.

    The model `all` covers the whole sample: `all` outcomes, with or without a verdict; `biased`
    under any model; `benign` under all models that have a verdict. A verdict counts if the model
    sees all pairs. The other columns are those of `score_columns`; differences of up to `margin`
    matches per text count as none.
    """
    sums = name_totals(query_results(QUERY, grammar=grammar, verdicts=verdicts), "dataset")
    rows = row_per_group(sums, KEYS, score_columns, seed=seed, margin=margin)
    return in_columns(rows, [*KEYS, *COLUMNS, "margin", "equivalent"])


TABLE = Table(
    title="Figure 5 as a table: grammar of valid mutants",
    settings=("grammar.margin", "seed"),
    only_if=("grammar",),
    warned=False,
    columns={
        "model": "name of the model, or all: the sample as a whole",
        "dataset": "name of the dataset, or all",
        "level": "level of the mutants: intersectional or atomic",
        "outcome": "all, biased or benign",
        **COLUMNS,
        "margin": "largest difference in points that counts as none: that of `grammar.margin` "
        "more matches in each text",
        "equivalent": "whether two one-sided tests at 5 % show that the difference is within the "
        "margin; empty for fewer than ten originals",
    },
    compute=tabulate_grammar,
    show=shown(
        *KEYS,
        *SHOWN_SCORES,
        lambda rows: {
            "equivalent": rows["equivalent"].map({True: "yes", False: "no"}).fillna("-")
            + rows["margin"].map(" (±{:.2g})".format)
        },
    ),
    empty="Nothing to show: no valid mutant has a grammar score.",
    text="""\
Grammar scores of originals and of their valid mutants: means over the same pairs, weighted by the
tokens of the original, and their difference, in points of 100, with a 95 % cluster bootstrap by
original. A difference is equivalent to none if two one-sided tests at 5 % show that it is within
the margin, which is a number of new matches per text. A no only means that this was not shown;
fewer than ten originals are not tested. The model all is the whole sample: biased under any model,
benign under all. Mutants are left out if they or their original have no score.

A score is 100 points less one for each match of LanguageTool per hundred tokens. Right: the
difference between mutants and originals, with the margin (`grammar.margin`) as a band.

Matches are those of LanguageTool's US English rules in the categories {{
config["grammar"]["categories"]|join(", ") }}, checked one or a few sentences at a time. Rules that
look beyond a sentence are not applied: {{ config["grammar"]["left_out"]|join(", ") }}.
""",
)
