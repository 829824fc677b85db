"""The difference of two ratios of sums over the same clusters."""

from .arrays import Numbers, divide
from .resampling import Sums, bootstrap
from .wilson import Interval


def bootstrap_difference(
    first: Sums, second: Sums, *, seed: int, bounds: Interval = (0, 1)
) -> Interval:
    """Return the interval of the first ratio minus the second, weighing clusters by chance.

    Each ratio is given by the parts and wholes of every cluster, 0 where a cluster has none. Both
    are computed from each resample, so that what they share in a cluster cancels out. Clusters that
    were not seen may have any ratios inside `bounds`. (nan, nan) for fewer than two clusters.
    """
    return bootstrap([first, second], _subtract, ends=(bounds, bounds[::-1]), seed=seed)


def _subtract(part: Numbers, whole: Numbers, other_part: Numbers, other_whole: Numbers) -> Numbers:
    return divide(part, whole) - divide(other_part, other_whole)
