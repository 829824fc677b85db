"""Cohen's kappa of two raters who answer yes or no, with its cluster bootstrap."""

from collections.abc import Sequence
from math import nan

import numpy as np

from .arrays import Numbers, divide
from .resampling import interval_of
from .wilson import Interval


def cohen_kappa(both: Numbers, first: Numbers, second: Numbers, neither: Numbers) -> Numbers:
    """Return kappa of each table of two answers; nan where both always give the same one.

    The quotient of observed and chance agreement (Cohen 1960, doi:10.1177/001316446002000104) with
    the number of cases cancelled, for many tables at once, as scikit-learn's takes one.
    """
    by_chance = (both + first) * (first + neither) + (both + second) * (second + neither)
    return divide(2 * (both * neither - first * second), by_chance)


def bootstrap_kappa(clusters: Sequence[Sequence[int]], *, seed: int) -> Interval:
    """Return the interval of kappa, weighing whole clusters by chance.

    A cluster (here: the mutants of one original) is told by its cells: how often both say yes, only
    the first, only the second, and neither. In one that was not seen, they may always or never say
    the same (see `interval_of`). (nan, nan) for fewer than two clusters, and without a kappa.
    """
    if len(clusters) < 2:
        return nan, nan
    table = np.array(clusters, dtype=float)
    half = table.sum() / len(table) / 2
    ends = [half * np.array([0, 1, 1, 0]), half * np.array([1, 0, 0, 1])]
    return interval_of(table, cohen_kappa, ends=ends, seed=seed)
