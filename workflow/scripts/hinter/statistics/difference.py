"""The difference of two ratios of sums over the same clusters."""

from .resampling import (
    Interval,
    Numbers,
    Sums,
    divide,
    percentile_interval,
    resample_clusters,
)


def bootstrap_difference(
    first: Sums, second: Sums, *, seed: int, confidence: float = 0.95, resamples: int = 2000
) -> Interval:
    """Return the percentile interval of the first ratio minus the second, resampling clusters.

    Each is given by the parts and wholes of every cluster, 0 where a cluster has none of it. Both
    ratios are made anew of each resample, so what they share in a cluster cancels out.
    """
    distribution = resample_clusters((*first, *second), _subtract, seed=seed, resamples=resamples)
    return percentile_interval(distribution, confidence=confidence)


def _subtract(part: Numbers, whole: Numbers, other_part: Numbers, other_whole: Numbers) -> Numbers:
    return divide(part, whole) - divide(other_part, other_whole)
