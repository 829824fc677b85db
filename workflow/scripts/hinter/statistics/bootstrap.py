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
) -> Interval:
    """Return the interval of sum(parts) / sum(wholes), weighing whole clusters by chance.

    `parts[i]` and `wholes[i]` belong to cluster i (here: the mutants of one original): successes
    and trials of a proportion, or weighted values and weights of a mean. Correlated outcomes within
    a cluster so widen the interval as they should. Clusters that were not seen may be anywhere
    inside `bounds`. Clusters without a whole change nothing. Returns (nan, nan) for fewer than two
    clusters.
    """
    ends = [bounds[0]], [bounds[1]]
    return bootstrap([(parts, wholes)], divide, ends=ends, seed=seed, confidence=confidence)
