"""Cohen's kappa of two raters who answer yes or no, with its cluster bootstrap."""

from collections.abc import Sequence
from math import nan

import numpy as np

from .arrays import Numbers, divide
from .resampling import percentile_interval, resample_clusters
from .wilson import Interval


def cohen_kappa(both: Numbers, first: Numbers, second: Numbers, neither: Numbers) -> Numbers:
    """Return kappa of each table of two answers; nan where both always give the same one.

    The quotient of observed and chance agreement (Cohen 1960, doi:10.1177/001316446002000104) with
    the number of cases cancelled, for many tables at once, as scikit-learn's takes one.
    """
    by_chance = (both + first) * (first + neither) + (both + second) * (second + neither)
    return divide(2 * (both * neither - first * second), by_chance)


def bootstrap_kappa(
    clusters: Sequence[Sequence[int]], *, seed: int, confidence: float = 0.95, resamples: int = 2000
) -> Interval:
    """Return the percentile interval of kappa, resampling whole clusters.

    A cluster (here: the mutants of one original) is told by its cells: how often both say yes, only
    the first, only the second, and neither. Resamples without a kappa
    are left out, and where all have the same one the interval allows for clusters that were not
    seen (see `cluster_bootstrap`). (nan, nan) for fewer than two clusters.
    """
    if len(clusters) < 2:
        return nan, nan
    columns = np.array(clusters, dtype=float).T.tolist()
    distribution = resample_clusters(columns, cohen_kappa, seed=seed, resamples=resamples)
    return percentile_interval(
        distribution, clusters=len(clusters), bounds=(-1, 1), confidence=confidence
    )
