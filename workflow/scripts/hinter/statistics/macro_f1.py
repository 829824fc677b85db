"""The difference of macro F1 between two models on the same texts."""

from collections.abc import Sequence
from math import nan

import numpy as np

from .arrays import Numbers, divide
from .resampling import Sums, interval_of
from .wilson import Interval


def macro_f1(labels: Sequence[Sums]) -> float:
    """Return the mean F1 of the labels, each given by its `Sums` over texts; nan for none.

    The parts of a label are twice its true positives, the wholes how often it is expected plus how
    often it is found.
    """
    return float(np.mean([sum(parts) / sum(wholes) for parts, wholes in labels] or [np.nan]))


def bootstrap_macro_f1_difference(
    first: Sequence[Sums], second: Sequence[Sums], *, seed: int
) -> Interval:
    """Return the interval of the first macro F1 minus the second, weighing texts by chance.

    Labels are given as to `macro_f1`. Of texts that were not seen, either may get all wrong that
    the other gets right.
    """

    def difference(*totals: Numbers) -> Numbers:
        scores = divide(np.stack(totals[::2]), np.stack(totals[1::2]))
        means: list[Numbers] = [
            np.nanmean(part, axis=0) for part in (scores[: len(first)], scores[len(first) :])
        ]
        return means[0] - means[1]

    table = np.array([column for label in (*first, *second) for column in label], dtype=float).T
    if len(table) < 2:
        return nan, nan
    usual = table[:, 1::2].mean(axis=0)
    rights = (np.arange(len(usual)) >= len(first)), (np.arange(len(usual)) < len(first))
    ends = [np.column_stack([right * usual, usual]).ravel() for right in rights]
    return interval_of(table, difference, ends=ends, seed=seed)
