"""The minimum detectable effect of a test."""

from statistics import NormalDist


def minimum_detectable_effect(
    standard_error: float, *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Return the smallest effect, in the unit of `standard_error`, that a test is likely to detect.

    (z(1 - alpha/2) + z(power)) times the standard error (Bloom 1995,
    doi:10.1177/0193841X9501900504): an effect of this size is detected with probability `power` by
    a single two-sided test at level `alpha`.
    """
    quantile = NormalDist().inv_cdf
    return (quantile(1 - alpha / 2) + quantile(power)) * standard_error
