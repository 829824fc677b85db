"""The mean difference of pairs, and whether it is practically zero."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .arrays import divide
from .bootstrap import cluster_bootstrap
from .resampling import likely_bounds
from .wilson import Interval


class PairedDifference(NamedTuple):
    """A mean difference of pairs, in their unit, with its 95 % and its 90 % interval."""

    mean: float
    interval: Interval
    narrow: Interval

    def equivalent_within(self, margin: float) -> bool | None:
        """Return whether two one-sided tests at 5 % show the mean to be between -margin and margin.

        They do if the 90 % interval lies inside (Schuirmann 1987, doi:10.1007/BF01068419). None
        where there is no interval; False only means that it was not shown.
        """
        low, high = self.narrow
        return None if np.isnan(low) else -margin < low and high < margin


def paired_difference(
    differences: Sequence[float], weights: Sequence[float], *, bounds: Interval, seed: int
) -> PairedDifference:
    """Return the weighted mean of the differences of pairs, with its intervals by cluster.

    `differences[i]` is the sum of weight times difference over the pairs of cluster i, and
    `weights[i]` the sum of their weights. If all weights are 0, the mean is nan. Clusters that were
    not seen may be as far away as `likely_bounds` says, given the `bounds` of the scale.
    """
    likely = likely_bounds(differences, weights, bounds=bounds)
    interval, narrow = (
        cluster_bootstrap(differences, weights, bounds=likely, seed=seed, confidence=confidence)
        for confidence in (0.95, 0.90)
    )
    return PairedDifference(float(divide(np.sum(differences), np.sum(weights))), interval, narrow)
