"""The ratio of two rates over the same clusters."""

from math import inf, nan

from .arrays import Numbers, divide
from .resampling import Sums, bootstrap
from .wilson import Interval


def bootstrap_rate_ratio(first: Sums, second: Sums, *, seed: int) -> Interval:
    """Return the interval of the first rate over the second, weighing clusters by chance.

    Each rate is given by the successes and trials of every cluster, 0 where a cluster has none.
    Returns (nan, nan) where either rate has no success at all: resampling says nothing about it.
    """
    if not sum(first[0]) or not sum(second[0]):
        return nan, nan
    # The first rate as a share of the sum of both is always finite, and ordered like the ratio.
    low, high = bootstrap([first, second], _share, ends=([0, 1], [1, 0]), seed=seed)
    return _ratio(low), _ratio(high)


def _share(part: Numbers, whole: Numbers, other_part: Numbers, other_whole: Numbers) -> Numbers:
    rate, other_rate = divide(part, whole), divide(other_part, other_whole)
    return divide(rate, rate + other_rate)


def _ratio(share: float) -> float:
    return inf if share == 1 else share / (1 - share)
