"""Figure 8 of the paper: grammar scores of valid and of discarded mutants (RQ3)."""

from math import nan

import pandas as pd

from ..statistics import Sums, bootstrap_difference
from .groups import name_totals, split_verdicts
from .scores import CHANGE, COLUMNS, PAIRS, SUMS, score_columns, show_scores
from .sources import Results, open_results
from .writing import point_intervals, points

QUERY = f"""
    SELECT dataset, kind, verdict, cluster, {SUMS}
    FROM ({PAIRS})
    GROUP BY CUBE (dataset, kind), verdict, cluster
    ORDER BY dataset NULLS FIRST, kind NULLS FIRST, verdict DESC, cluster
"""
KEYS = ["dataset", "kind", "verdict"]
COMPARED = {
    "score_valid_minus_discarded": ("mutants", CHANGE),
    "difference_valid_minus_discarded": ("change", (-200, 200)),
}
"""The columns that compare valid with discarded mutants, with their totals and their bounds."""


def tabulate_discarded(grammar: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset, kind of mutant and verdict of the invariant.

    Columns: those of `score_columns`; then, on the rows of discarded mutants, what valid ones have
    more: in `score_mutants` (`score_valid_minus_discarded`), and in `difference`
    (`difference_valid_minus_discarded`), to which it does not matter that the two have other
    originals, or the same in other numbers. Both have a 95 % cluster bootstrap by original
    (`_low`, `_high`), of which a resample is made once for both verdicts.
    """
    sums = name_totals(open_results(grammar=grammar).execute(QUERY).df(), "dataset", "kind")
    rows = []
    for names, group in sums.groupby(KEYS[:2], sort=False):
        compared = _compare(group, seed=seed)
        for verdict, part in group.groupby("verdict", sort=False):
            row = dict(zip(KEYS, (*names, verdict), strict=True)) | score_columns(part, seed=seed)
            rows.append(row | (compared if verdict == "discarded" else {}))
    more = [f"{name}{end}" for name in COMPARED for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=[*KEYS, *COLUMNS, *more])


def show_discarded(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: scores with 95 % intervals by original."""
    shown = {key: rows[key] for key in KEYS} | show_scores(rows)
    for what, name in zip(("score", "difference"), COMPARED, strict=True):
        shown[f"{what}: valid - discarded"] = rows[name].map(points)
        shown[f"{what}: by original"] = point_intervals(rows, name)
    return pd.DataFrame(shown)


def _compare(sums: pd.DataFrame, *, seed: int) -> dict[str, float]:
    sums = sums[sums["n"] > 0].assign(change=sums["mutants"] - sums["originals"])
    valid, discarded = split_verdicts(sums, ["weight", "mutants", "change"])
    numbers: dict[str, float] = {}
    for name, (total, bounds) in COMPARED.items():
        sides = [_sums(side, total) for side in (valid, discarded)]
        means = [sum(parts) / sum(weights) if any(weights) else nan for parts, weights in sides]
        low, high = bootstrap_difference(*sides, bounds=bounds, seed=seed)
        numbers |= {name: means[0] - means[1], f"{name}_low": low, f"{name}_high": high}
    return {name: round(number, 6) for name, number in numbers.items()}


def _sums(side: pd.DataFrame, total: str) -> Sums:
    return side[total].tolist(), side["weight"].tolist()
