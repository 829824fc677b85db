"""What clusters that were not seen may be, where all that were seen agree."""

from collections.abc import Sequence

import numpy as np

from .arrays import Numbers
from .wilson import Interval, wilson_interval


def agree(values: Numbers, *, bounds: Interval) -> bool:
    """Return whether all values are the same but for rounding, given the ends of their scale."""
    return bool(np.ptp(values) <= 1e-9 * (bounds[1] - bounds[0]))


def unseen_share(clusters: int, *, confidence: float) -> float:
    """Return how large a share of all clusters may be unlike so many that agree.

    It is the upper end of Wilson's interval of none among `clusters` independent ones.
    """
    return wilson_interval(0, clusters, confidence=confidence)[1]


def with_unseen(value: float, *, clusters: int, bounds: Interval, confidence: float) -> Interval:
    """Return the interval of a statistic that has the same `value` in all clusters.

    The unseen share of clusters may have any value inside `bounds`. Of a rate of 0 or 1 this is
    Wilson's interval with as many trials as there are clusters.
    """
    share = unseen_share(clusters, confidence=confidence)
    low, high = (value + share * (bound - value) for bound in bounds)
    return low, high


def lean(
    successes: Sequence[float], trials: Sequence[float], *, towards: float, confidence: float
) -> tuple[Sequence[float], Sequence[float]]:
    """Return a rate by cluster, with `towards` as the rate of the unseen share of clusters.

    Where clusters differ, resampling tells what others may be, and the rate stays as it is.
    """
    parts, wholes = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    tried = wholes > 0
    if not tried.any() or not agree(parts[tried] / wholes[tried], bounds=(0, 1)):
        return successes, trials
    share = unseen_share(int(tried.sum()), confidence=confidence)
    return (parts + share * (towards * wholes - parts)).tolist(), trials
