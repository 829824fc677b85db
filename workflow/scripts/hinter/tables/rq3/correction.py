"""Bias rates of surviving mutants, as statistics of verdicts and of judged mutants."""

from collections.abc import Callable
from itertools import chain
from math import nan
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...statistics import Numbers, bootstrap_two_samples, divide

VERDICTS = [("valid_biased", "valid"), ("discarded_biased", "discarded")]
"""Biased mutants among those with a verdict: the first four of `Totals`."""
JUDGED = [("valid_survives", "valid"), ("discarded_survives", "discarded")]
"""Weights of surviving mutants among the judged ones: the last four of `Totals`."""


class Totals(NamedTuple):
    """What the statistics are made of; each a number, or one per resample."""

    valid_biased: Numbers
    valid: Numbers
    discarded_biased: Numbers
    discarded: Numbers
    judged_valid_surviving: Numbers
    judged_valid: Numbers
    judged_discarded_surviving: Numbers
    judged_discarded: Numbers

    @property
    def bias_rate(self) -> Numbers:
        """Share of biased mutants among valid ones."""
        return divide(self.valid_biased, self.valid)

    @property
    def precision(self) -> Numbers:
        """Share of surviving mutants among valid ones."""
        return divide(self.judged_valid_surviving, self.judged_valid)

    @property
    def survivors_discarded(self) -> Numbers:
        """Share of surviving mutants among discarded ones."""
        return divide(self.judged_discarded_surviving, self.judged_discarded)


def lowest_rate(totals: Totals) -> Numbers:
    """Return the bias rate of surviving valid mutants if as few of the biased survive as can.

    The lower bound of Horowitz and Manski 1995 (doi:10.2307/2951627) for contaminated samples.
    """
    broken = 1 - totals.precision
    return np.maximum(divide(totals.bias_rate - broken, totals.precision), 0)


def highest_rate(totals: Totals) -> Numbers:
    """Return the bias rate of surviving valid mutants if as many of the biased survive as can.

    The upper bound of Horowitz and Manski 1995 (doi:10.2307/2951627) for contaminated samples.
    """
    return np.minimum(divide(totals.bias_rate, totals.precision), 1)


def corrected_rate(totals: Totals) -> Numbers:
    """Return the bias rate of all surviving mutants, valid and discarded.

    It holds where, among valid and among discarded ones, survival says nothing of bias.
    """
    valid, discarded = totals.precision, totals.survivors_discarded
    return divide(
        valid * totals.valid_biased + discarded * totals.discarded_biased,
        valid * totals.valid + discarded * totals.discarded,
    )


def estimate(
    statistic: Callable[[Totals], Numbers],
    *,
    verdicts: pd.DataFrame,
    judged: pd.DataFrame,
    seed: int,
) -> tuple[float, float, float]:
    """Return a statistic with its 95 % interval, given `VERDICTS` and `JUDGED` by original.

    Originals of the verdicts and originals of the judged mutants are resampled apart. All three
    are nan where the statistic has no value.
    """
    first, second = (
        [(rows[part].tolist(), rows[whole].tolist()) for part, whole in names]
        for rows, names in ((verdicts, VERDICTS), (judged, JUDGED))
    )
    columns = chain.from_iterable([*first, *second])
    totals = Totals(*(np.array(sum(column), dtype=float) for column in columns))
    value = float(statistic(totals))
    if np.isnan(value):
        return nan, nan, nan
    low, high = bootstrap_two_samples(
        first, second, lambda *drawn: statistic(Totals(*drawn)), seed=seed
    )
    return value, low, high
