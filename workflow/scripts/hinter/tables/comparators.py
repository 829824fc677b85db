"""What the invariant is worth: its comparators side by side on one suite (RQ3)."""

from math import nan
from typing import Any

import pandas as pd
from sklearn.metrics import cohen_kappa_score

from ..statistics import cluster_bootstrap, wilson_interval
from .sources import Results, open_results
from .writing import percent, percent_intervals

PAPER = "tolerant"
"""The paper's comparator, with which the others are compared."""

CHECKED = """
    SELECT v.dataset, v.model, CASE WHEN v."order" = 1 THEN 'atomic' ELSE 'intersectional' END
            AS kind,
        c.comparator, v.mutant_id, v.original_id, c.reason = 'valid' AS valid, p.reason = 'valid'
            AS paper,
        CASE WHEN v.visible_order = v."order" THEN v.biased END AS biased
    FROM verdicts AS v
    JOIN (UNPIVOT (SELECT * EXCLUDE model FROM comparators)
          ON tolerant, strict, heads INTO NAME comparator VALUE reason) AS c
        USING (dataset, mutant_id)
    JOIN (SELECT dataset, mutant_id, tolerant AS reason FROM comparators) AS p
        USING (dataset, mutant_id)
    WHERE v.drawn IS NOT FALSE AND c.reason <> 'unchecked' AND p.reason <> 'unchecked'
    ORDER BY v.dataset, v.model, kind, c.comparator, v.mutant_id
"""


def tabulate_comparators(verdicts: Results, comparators: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset, model, kind of mutant and comparator.

    Of the `n` mutants of the suite, `valid` are valid: `valid_share`. `agreement` is the share on
    which the comparator and the paper's say the same, `kappa` Cohen's kappa of the two. Of the `n`
    with a verdict by the model, `bias_valid` is the bias rate of the valid ones and
    `bias_discarded` that of the discarded ones. Rates have a Wilson interval (`_low`, `_high`), the
    valid share and the bias rates also one by cluster bootstrap over originals (`_cluster_low`,
    `_cluster_high`).
    """
    checked = open_results(verdicts=verdicts, comparators=comparators).execute(CHECKED).df()
    keys = ["dataset", "model", "kind", "comparator"]
    rows = [
        dict(zip(keys, names, strict=True)) | _row(group, seed=seed)
        for names, group in checked.groupby(keys)
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


def _row(group: pd.DataFrame, *, seed: int) -> dict[str, float]:
    agreement = float((group["valid"] == group["paper"]).mean())
    told = group[group["biased"].notna()]
    return {
        "n": len(group),
        "valid": int(group["valid"].sum()),
        **_rate("valid_share", group, column="valid", seed=seed),
        "agreement": round(agreement, 6),
        "kappa": _kappa(group),
        **_rate("bias_valid", told[told["valid"]], column="biased", seed=seed),
        **_rate("bias_discarded", told[~told["valid"]], column="biased", seed=seed),
    }


def _kappa(group: pd.DataFrame) -> float:
    # Undefined where both say the same of every mutant.
    if group[["valid", "paper"]].stack().nunique() == 1:
        return nan
    return round(float(cohen_kappa_score(group["valid"], group["paper"])), 6)


def _rate(name: str, group: pd.DataFrame, *, column: str, seed: int) -> dict[str, float]:
    by_original = group[column].astype(int).groupby(group["original_id"]).agg(["sum", "count"])
    successes, n = int(by_original["sum"].sum()), len(group)
    low, high = wilson_interval(successes, n)
    cluster_low, cluster_high = cluster_bootstrap(
        by_original["sum"].tolist(), by_original["count"].tolist(), seed=seed
    )
    numbers = {
        f"{name}_n": n,
        name: successes / n if n else nan,
        f"{name}_low": low,
        f"{name}_high": high,
        f"{name}_cluster_low": cluster_low,
        f"{name}_cluster_high": cluster_high,
    }
    return {key: round(number, 6) for key, number in numbers.items()}
