"""The cluster bootstrap of a ratio of sums: a proportion, or a weighted mean."""

from collections.abc import Sequence

from .arrays import divide
from .resampling import bootstrap
from .wilson import Interval


def cluster_bootstrap(
    parts: Sequence[float],
    wholes: Sequence[float],
    *,
    seed: int,
    bounds: Interval = (0, 1),
    confidence: float = 0.95,
    resamples: int = 2000,
) -> Interval:
    """Return the percentile interval of sum(parts) / sum(wholes), resampling whole clusters.

    `parts[i]` and `wholes[i]` belong to cluster i (here: the mutants of one original): successes
    and trials of a proportion, or weighted values and weights of a mean, which lies inside
    `bounds`. Correlated outcomes within a cluster so widen the interval as they should (Field and
    Welsh 2007). Where all clusters have the same ratio, resampling says nothing: the interval then
    allows for clusters that were not seen, and is Wilson's over clusters for a proportion of 0 or
    1. Returns (nan, nan) for fewer than two clusters.
    """
    return bootstrap(
        [(parts, wholes)],
        divide,
        bounds=bounds,
        seed=seed,
        confidence=confidence,
        resamples=resamples,
    )
