"""Weighted sums of assessed mutants by original: how many of the valid and discarded are sound."""

from math import nan

import pandas as pd

from ...statistics import cluster_bootstrap

NO_FILTER = "none"
"""In place of a comparator: every mutant counts as valid."""
MODELS, PEOPLE = "language models", "people"
"""Who has assessed mutants."""
QUESTIONS = ("sound", "grammar", "meaning")


def assessed_for(
    assessed: pd.DataFrame, *, substitution: str, dataset: str | None = None
) -> pd.DataFrame:
    """Return the rows of results/assessed.parquet that tell of mutants of a kind of substitution.

    Those of the `dataset`, if any are; otherwise those of all datasets.
    """
    drawn = assessed[assessed["tells"] == substitution]
    own = drawn[drawn["dataset"] == dataset]
    return own if len(own) else drawn


def readers_of(assessed: pd.DataFrame) -> str:
    """Return who has assessed the rows of `assessed_for`: people, where any of them did."""
    return PEOPLE if assessed["people"].any() else MODELS


def assessed_by_level(assessed: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of results/assessed.parquet, `all` and by level of mutants."""
    atomic = assessed["order"] == 1
    levels = {"all": assessed, "intersectional": assessed[~atomic], "atomic": assessed[atomic]}
    return {level: rows for level, rows in levels.items() if len(rows)}


def checked_by(assessed: pd.DataFrame, comparator: str) -> pd.DataFrame:
    """Return the rows that the comparator checks, with `valid` for its answer."""
    if comparator == NO_FILTER:
        return assessed.assign(valid=True)
    checked = assessed[assessed[comparator] != "unchecked"]
    return checked.assign(valid=checked[comparator] == "valid")


def sound_sums(checked: pd.DataFrame) -> pd.DataFrame:
    """Return weighted sums by original, given rows with `valid`.

    `valid` and `discarded` are the weights of these mutants; `valid_sound`, `valid_grammar` and so
    on are the weights of those among them that are sound, or whose grammar or meaning survives.
    """
    columns = {}
    for check, weight in (
        ("valid", checked["weight"] * checked["valid"]),
        ("discarded", checked["weight"] * ~checked["valid"]),
    ):
        columns[check] = weight
        columns |= {f"{check}_{name}": weight * checked[name] for name in QUESTIONS}
    return pd.DataFrame(columns).groupby(checked["original_id"]).sum()


def weighted_share(
    name: str, parts: "pd.Series[float]", wholes: "pd.Series[float]", *, seed: int
) -> dict[str, float]:
    """Return a share as the column `name`, given its weighted sums by original.

    It comes with its 95 % cluster bootstrap by original (`_low`, `_high`); all are nan where the
    sum of `wholes` is 0.
    """
    total = wholes.sum()
    low, high = cluster_bootstrap(parts.tolist(), wholes.tolist(), seed=seed)
    numbers = {
        name: parts.sum() / total if total else nan,
        f"{name}_low": low,
        f"{name}_high": high,
    }
    return {key: round(float(number), 6) for key, number in numbers.items()}
