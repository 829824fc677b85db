"""The Wilson score interval of a proportion."""

from math import nan, sqrt
from statistics import NormalDist


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval (Wilson 1927) of `successes` out of `n`, as proportions.

    The proportions p with |successes / n - p| <= z sqrt(p (1 - p) / n). It holds for independent
    trials; (nan, nan) where n is 0.
    """
    if n == 0:
        return nan, nan
    z, failures = NormalDist().inv_cdf((1 + confidence) / 2), n - successes
    middle, half = successes + z * z / 2, z * sqrt(successes * failures / n + z * z / 4)
    # Rounding must not move the ends that are 0 and 1.
    low = (middle - half) / (n + z * z) if successes else 0.0
    high = (middle + half) / (n + z * z) if failures else 1.0
    return low, high
