"""What the invariant is worth: its comparators side by side on one suite (RQ3)."""

from collections.abc import Sequence
from math import nan
from typing import Any

import pandas as pd
from sklearn.metrics import cohen_kappa_score

from ..statistics import cluster_bootstrap, wilson_interval
from .sources import Results, open_results
from .writing import percent, percent_intervals

PAPER = "tolerant"
"""The paper's comparator, with which the others are compared."""

COUNTS = """
    WITH said AS (
        SELECT dataset, mutant_id, tolerant = 'valid' AS paper,
            unnest(['heads', 'strict', 'tolerant']) AS comparator,
            unnest([heads = 'valid', strict = 'valid', tolerant = 'valid']) AS passes
        FROM comparators WHERE 'unchecked' NOT IN (tolerant, strict, heads)
    ),
    judged AS (
        SELECT dataset, model, mutant_id, original_id,
            CASE WHEN "order" = 1 THEN 'atomic' ELSE 'intersectional' END AS kind,
            CASE WHEN visible_order = "order" THEN biased END AS biased
        FROM verdicts WHERE drawn IS NULL
    )
    SELECT dataset, model, kind, comparator, original_id, count(*) AS n,
        count(*) FILTER (passes) AS valid,
        count(*) FILTER (paper) AS paper,
        count(*) FILTER (passes AND paper) AS both_valid,
        count(*) FILTER (passes AND biased IS NOT NULL) AS told_valid,
        count(*) FILTER (passes AND biased) AS biased_valid,
        count(*) FILTER (NOT passes AND biased IS NOT NULL) AS told_discarded,
        count(*) FILTER (NOT passes AND biased) AS biased_discarded
    FROM judged JOIN said USING (dataset, mutant_id)
    GROUP BY ALL
    ORDER BY dataset, model, kind, comparator, original_id
"""


def tabulate_comparators(verdicts: Results, comparators: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset, model, kind of mutant and comparator.

    Of the `n` mutants of the suite that no comparator leaves unchecked, `valid` are valid:
    `valid_share`. `agreement` is the share on which the comparator and the paper's say the same,
    `kappa` Cohen's kappa of the two. Of those with a verdict by the model, `bias_valid` is the bias
    rate of the valid ones and `bias_discarded` that of the discarded ones. These rates have their
    own n (`_n`), a Wilson interval (`_low`, `_high`) and one by cluster bootstrap over originals
    (`_cluster_low`, `_cluster_high`). Mutants of sampled orders are left out.
    """
    counts = open_results(verdicts=verdicts, comparators=comparators).execute(COUNTS).df()
    keys = ["dataset", "model", "kind", "comparator"]
    rows = [
        dict(zip(keys, names, strict=True)) | _row(group, seed=seed)
        for names, group in counts.groupby(keys)
    ]
    return pd.DataFrame(rows)


def show_comparators(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages with intervals by original."""
    shown: dict[str, Any] = {
        name: rows[name] for name in ("dataset", "model", "kind", "comparator", "n")
    }
    for name, title in (
        ("valid_share", "valid %"),
        ("bias_valid", "bias of valid %"),
        ("bias_discarded", "bias of discarded %"),
    ):
        shown[title] = rows[name].map(percent)
        shown[f"{title} by original"] = percent_intervals(rows, f"{name}_cluster")
    shown["agreement %"] = rows["agreement"].map(percent)
    shown["kappa"] = rows["kappa"].map(lambda kappa: "-" if pd.isna(kappa) else f"{kappa:.2f}")
    return pd.DataFrame(shown)


def _row(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    n, valid, paper, both = counts[["n", "valid", "paper", "both_valid"]].sum().tolist()
    # Valid under both, under one of them, under neither.
    cells = [both, valid - both, paper - both, n - valid - paper + both]
    return {
        "n": n,
        "valid": valid,
        **_rate("valid_share", counts["valid"], counts["n"], seed=seed),
        "agreement": round((cells[0] + cells[3]) / n, 6),
        "kappa": _kappa(cells),
        **_rate("bias_valid", counts["biased_valid"], counts["told_valid"], seed=seed),
        **_rate("bias_discarded", counts["biased_discarded"], counts["told_discarded"], seed=seed),
    }


def _kappa(cells: Sequence[int]) -> float:
    # Undefined where both say the same of every mutant.
    if sum(cells) in (cells[0], cells[3]):
        return nan
    kappa = cohen_kappa_score([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=cells)
    return round(float(kappa), 6)


def _rate(
    name: str, successes: "pd.Series[int]", trials: "pd.Series[int]", *, seed: int
) -> dict[str, float]:
    """Return a rate with both its intervals, given its counts by original."""
    total, n = int(successes.sum()), int(trials.sum())
    low, high = wilson_interval(total, n)
    tried = trials > 0
    cluster_low, cluster_high = cluster_bootstrap(
        successes[tried].tolist(), trials[tried].tolist(), seed=seed
    )
    numbers = {
        f"{name}_n": n,
        name: total / n if n else nan,
        f"{name}_low": low,
        f"{name}_high": high,
        f"{name}_cluster_low": cluster_low,
        f"{name}_cluster_high": cluster_high,
    }
    return {key: round(number, 6) for key, number in numbers.items()}
