"""Judged mutants as weighted sums by original: what survives among valid and discarded ones."""

from math import nan

import pandas as pd

from ...statistics import cluster_bootstrap

NO_FILTER = "none"
"""In place of a comparator: every mutant is taken for valid."""
QUESTIONS = ("survives", "grammar", "meaning")


def judged_by_kind(judged: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of results/validity.parquet, `all` and by kind of mutant."""
    atomic = judged["order"] == 1
    kinds = {"all": judged, "intersectional": judged[~atomic], "atomic": judged[atomic]}
    return {kind: rows for kind, rows in kinds.items() if len(rows)}


def checked_by(judged: pd.DataFrame, comparator: str) -> pd.DataFrame:
    """Return the rows that a comparator does not leave unchecked, with `valid` by it."""
    if comparator == NO_FILTER:
        return judged.assign(valid=True)
    checked = judged[judged[comparator] != "unchecked"]
    return checked.assign(valid=checked[comparator] == "valid")


def survivor_sums(checked: pd.DataFrame) -> pd.DataFrame:
    """Return weighted sums by original, given rows with `valid`.

    `valid` and `discarded` are the weights of these mutants, `valid_survives` and so on of those
    of them that survive, or whose grammar or meaning does.
    """
    columns = {}
    for verdict, weight in (
        ("valid", checked["weight"] * checked["valid"]),
        ("discarded", checked["weight"] * ~checked["valid"]),
    ):
        columns[verdict] = weight
        columns |= {f"{verdict}_{name}": weight * checked[name] for name in QUESTIONS}
    return pd.DataFrame(columns).groupby(checked["original_id"]).sum()


def weighted_share(
    name: str, parts: "pd.Series[float]", wholes: "pd.Series[float]", *, seed: int
) -> dict[str, float]:
    """Return a share as the column `name`, given its weighted sums by original.

    It comes with its 95 % cluster bootstrap by original (`_low`, `_high`); nan of nothing.
    """
    held = wholes > 0
    total = wholes.sum()
    low, high = cluster_bootstrap(parts[held].tolist(), wholes[held].tolist(), seed=seed)
    numbers = {
        name: parts.sum() / total if total else nan,
        f"{name}_low": low,
        f"{name}_high": high,
    }
    return {key: round(float(number), 6) for key, number in numbers.items()}
