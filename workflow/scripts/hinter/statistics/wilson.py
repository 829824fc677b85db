"""The Wilson score interval of a proportion."""

from math import nan

import scipy  # which loads scipy.stats when it is first used

Interval = tuple[float, float]


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval (Wilson 1927) of `successes` out of `n`, as proportions.

    It assumes independent trials; (nan, nan) where n is 0.
    """
    if n == 0:
        return nan, nan
    interval = scipy.stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)
