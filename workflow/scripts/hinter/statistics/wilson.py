"""The Wilson score interval of a proportion."""

from math import nan

from scipy.stats import binomtest

Interval = tuple[float, float]


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval (Wilson 1927) of `successes` out of `n`, as proportions.

    It assumes independent trials; (nan, nan) where n is 0.
    """
    if n == 0:
        return nan, nan
    interval = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)
