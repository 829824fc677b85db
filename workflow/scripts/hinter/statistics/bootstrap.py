"""The cluster bootstrap of a ratio of sums: a proportion, or a weighted mean."""

from collections.abc import Sequence

from .resampling import Interval, divide, percentile_interval, resample_clusters


def cluster_bootstrap(
    parts: Sequence[float],
    wholes: Sequence[float],
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> Interval:
    """Return the percentile interval of sum(parts) / sum(wholes), resampling whole clusters.

    `parts[i]` and `wholes[i]` belong to cluster i (here: the mutants of one original): successes
    and trials of a proportion, or weighted values and weights of a mean. Outcomes that go together
    inside a cluster so widen the interval as they should (Field and Welsh 2007). (nan, nan) for
    fewer than two clusters.
    """
    distribution = resample_clusters((parts, wholes), divide, seed=seed, resamples=resamples)
    return percentile_interval(distribution, confidence=confidence)
