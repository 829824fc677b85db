"""Bias rates of sound mutants, as statistics of verdicts and of assessed mutants."""

from collections.abc import Callable
from itertools import chain
from math import nan
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...statistics import Numbers, bootstrap_two_samples, divide

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
    """Return the bias rate of sound valid mutants if as few of the biased are sound as can be.

    The lower bound of Horowitz and Manski 1995 (doi:10.2307/2951627) for contaminated samples.
    """
    broken = 1 - totals.precision
    return np.maximum(divide(totals.bias_rate - broken, totals.precision), 0)


def highest_rate(totals: Totals) -> Numbers:
    """Return the bias rate of sound valid mutants if as many of the biased are sound as can be.

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
    All three numbers are nan where the statistic has no value.
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
        first, second, lambda *drawn: statistic(Totals(*drawn)), seed=seed
    )
    return value, low, high
