"""Sound mutants: the evidence on them, and the bias rates that follow from it (RQ3)."""

from collections.abc import Callable, Collection, Sequence
from itertools import chain
from math import nan
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...assessments import BLIND
from ...statistics import Numbers, bootstrap_two_samples, divide

NO_FILTER = "none"
"""The name for no comparator: every mutant counts as valid."""
MODELS, PEOPLE = "language models", "people"
"""Who has assessed mutants."""
ENOUGH = 30
"""The fewest valid, or discarded, mutants of a dataset that are evidence on it without others."""


def assessed_for(assessed: pd.DataFrame, *, operators: Collection[str]) -> pd.DataFrame:
    """Return the rows of results/assessed.parquet that are evidence on mutants of some operators.

    They are those that people have assessed, if there are any.
    """
    sampled = assessed[assessed["about_operator"].isin(operators)]
    return sampled[sampled["people"] > 0] if sampled["people"].any() else sampled


def evidence_on(dataset: str, checked: pd.DataFrame) -> pd.DataFrame:
    """Return the evidence on a dataset, given rows `checked_by` a comparator of one level.

    Where valid mutants of a dataset were read blindly (`BLIND`), its other valid ones are left out,
    as rules were written with texts like theirs. The dataset's own mutants are used if there are
    `ENOUGH`, and those of all datasets otherwise: valid and discarded ones each by themselves.
    """
    blind = checked["half"] == BLIND
    replaced = ~blind & checked["valid"] & checked["dataset"].isin(checked["dataset"][blind])
    rows = checked[~replaced]
    own = rows["dataset"] == dataset
    enough = own.groupby(rows["valid"]).transform("sum") >= ENOUGH
    return rows[own | ~enough]


def annotators_of(assessed: pd.DataFrame) -> str:
    """Return who has assessed the rows of `assessed_for`: people, if there are any."""
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


def sound_sums(checked: pd.DataFrame, *, questions: Sequence[str] = ("sound",)) -> pd.DataFrame:
    """Return weighted sums by original, given rows with `valid`.

    `valid` and `discarded` are the weights of these mutants; `valid_sound` and `discarded_sound`
    are the weights of those that are sound, and so on for other `questions`.
    """
    columns = {}
    for check, weight in (
        ("valid", checked["weight"] * checked["valid"]),
        ("discarded", checked["weight"] * ~checked["valid"]),
    ):
        columns[check] = weight
        columns |= {f"{check}_{name}": weight * checked[name] for name in questions}
    return pd.DataFrame(columns).groupby(checked["original_id"]).sum()


VERDICTS = [("valid_biased", "valid"), ("discarded_biased", "discarded")]
"""Biased mutants among those with a verdict: the first four of `Totals`."""
ASSESSED = [("valid_sound", "valid"), ("discarded_sound", "discarded")]
"""Weights of sound mutants among the assessed ones: the last four of `Totals`."""


class Totals(NamedTuple):
    """The counts and weights behind the statistics; each is a number, or one per resample."""

    valid_biased: Numbers
    valid: Numbers
    discarded_biased: Numbers
    discarded: Numbers
    assessed_valid_sound: Numbers
    assessed_valid: Numbers
    assessed_discarded_sound: Numbers
    assessed_discarded: Numbers

    @property
    def bias_rate(self) -> Numbers:
        """Share of biased mutants among valid ones."""
        return divide(self.valid_biased, self.valid)

    @property
    def precision(self) -> Numbers:
        """Share of sound mutants among valid ones."""
        return divide(self.assessed_valid_sound, self.assessed_valid)

    @property
    def sound_discarded(self) -> Numbers:
        """Share of sound mutants among discarded ones."""
        return divide(self.assessed_discarded_sound, self.assessed_discarded)


def lowest_rate(totals: Totals) -> Numbers:
    """Return the bias rate of sound valid mutants if as few biased ones as possible are sound.

    The lower bound of Horowitz and Manski 1995 (doi:10.2307/2951627) for contaminated samples.
    """
    broken = 1 - totals.precision
    return np.maximum(divide(totals.bias_rate - broken, totals.precision), 0)


def highest_rate(totals: Totals) -> Numbers:
    """Return the bias rate of sound valid mutants if as many biased ones as possible are sound.

    The upper bound of Horowitz and Manski 1995 (doi:10.2307/2951627) for contaminated samples.
    """
    return np.minimum(divide(totals.bias_rate, totals.precision), 1)


def corrected_rate(totals: Totals) -> Numbers:
    """Return the bias rate of all sound mutants, valid and discarded.

    It assumes that soundness and bias are independent among valid and among discarded mutants.
    """
    valid, discarded = totals.precision, totals.sound_discarded
    return divide(
        valid * totals.valid_biased + discarded * totals.discarded_biased,
        valid * totals.valid + discarded * totals.discarded,
    )


def estimate(
    statistic: Callable[[Totals], Numbers],
    *,
    verdicts: pd.DataFrame,
    assessed: pd.DataFrame,
    seed: int,
) -> tuple[float, float, float]:
    """Return a statistic with its 95 % interval, given `VERDICTS` and `ASSESSED` by original.

    Originals of the verdicts and originals of the assessed mutants are resampled independently.
    All three numbers are nan if the statistic has no value.
    """
    first, second = (
        [(rows[part].tolist(), rows[whole].tolist()) for part, whole in names]
        for rows, names in ((verdicts, VERDICTS), (assessed, ASSESSED))
    )
    columns = chain.from_iterable([*first, *second])
    totals = Totals(*(np.array(sum(column), dtype=float) for column in columns))
    value = float(statistic(totals))
    if np.isnan(value):
        return nan, nan, nan
    low, high = bootstrap_two_samples(
        first, second, lambda *sampled: statistic(Totals(*sampled)), seed=seed
    )
    return value, low, high
