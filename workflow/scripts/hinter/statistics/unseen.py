"""Bounds on clusters that were not seen, where all that were seen agree."""

from collections.abc import Sequence

import numpy as np

from .arrays import Numbers
from .wilson import Interval, wilson_interval


def agree(values: Numbers, *, bounds: Interval) -> bool:
    """Return whether all values are equal up to rounding, given the ends of their scale."""
    return bool(np.ptp(values) <= 1e-9 * (bounds[1] - bounds[0]))


def unseen_share(clusters: int, *, confidence: float) -> float:
    """Return the share of all clusters that may differ from the `clusters` seen, which agree.

    It is the upper end of Wilson's interval for 0 of `clusters` independent ones.
    """
    return wilson_interval(0, clusters, confidence=confidence)[1]


def with_unseen(value: float, *, clusters: int, bounds: Interval, confidence: float) -> Interval:
    """Return the interval of a statistic that has the same `value` in all clusters.

    The unseen share of clusters may have any value inside `bounds`. For a rate of 0 or 1 this is
    Wilson's interval with a trial per cluster.
    """
    share = unseen_share(clusters, confidence=confidence)
    low, high = (value + share * (bound - value) for bound in bounds)
    return low, high


def lean(
    successes: Sequence[float], trials: Sequence[float], *, towards: float, confidence: float
) -> tuple[Sequence[float], Sequence[float]]:
    """Return a rate by cluster, moved towards `towards` as far as unseen clusters may move it.

    Where clusters differ, resampling covers the others, and the rate stays as it is.
    """
    parts, wholes = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    tried = wholes > 0
    if not tried.any() or not agree(parts[tried] / wholes[tried], bounds=(0, 1)):
        return successes, trials
    share = unseen_share(int(tried.sum()), confidence=confidence)
    return (parts + share * (towards * wholes - parts)).tolist(), trials
