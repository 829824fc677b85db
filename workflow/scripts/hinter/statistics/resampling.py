"""Resampling whole clusters, of which every bootstrap here is made."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import nan

import numpy as np
import numpy.typing as npt

from .arrays import Numbers
from .unseen import agree, with_unseen
from .wilson import Interval

Sums = tuple[Sequence[float], Sequence[float]]
"""By cluster, the two sums whose totals make a ratio: parts and wholes."""

BATCH = 20
"""Resamples drawn at once: few enough for the cache, where all of them would take gigabytes."""

KEPT = 50_000_000
"""Up to this many resampled clusters (bytes) are kept: the rates of a table have the same ones."""


def bootstrap(
    arms: Sequence[Sums],
    statistic: Callable[..., Numbers],
    *,
    bounds: Interval,
    seed: int,
    confidence: float,
    resamples: int,
) -> Interval:
    """Return the percentile interval of a statistic of ratios over the same clusters.

    The statistic is given the totals of parts and of wholes of each arm, one number per resample,
    and has values inside `bounds`. Of the arms, that with the fewest clusters tells how many there
    are, where all resamples agree.
    """
    columns = [column for arm in arms for column in arm]
    distribution = resample_clusters(columns, statistic, seed=seed, resamples=resamples)
    clusters = min(sum(whole > 0 for whole in wholes) for _, wholes in arms)
    return percentile_interval(
        distribution, clusters=clusters, bounds=bounds, confidence=confidence
    )


def resample_clusters(
    columns: Sequence[Sequence[float]],
    statistic: Callable[..., Numbers],
    *,
    seed: int,
    resamples: int,
) -> Numbers:
    """Return the statistic of each resample of the clusters (Field and Welsh 2007).

    `columns[j][i]` is the sum of quantity j over cluster i; the statistic is given the total of
    each column, one number per resample. A resample draws clusters whole, so all columns go
    together. Nothing is returned for fewer than two clusters.
    """
    table = np.stack([np.asarray(column, dtype=float) for column in columns], axis=1)
    if len(table) < 2:
        return np.empty(0)
    keep = len(table) * resamples <= KEPT
    batches = (_kept_batches if keep else _batches)(seed, len(table), resamples)
    totals = [counts.astype(float) @ table for counts in batches]
    return statistic(*np.concatenate(totals).T)


def _batches(seed: int, clusters: int, resamples: int) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield how often each resample holds each cluster, `BATCH` resamples at once."""
    rng = np.random.default_rng(seed)
    for done in range(0, resamples, BATCH):
        drawn = rng.integers(0, clusters, size=(min(BATCH, resamples - done), clusters))
        drawn += clusters * np.arange(len(drawn))[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=drawn.size)
        # Of 256 clusters or more none is ever drawn 256 times.
        yield counts.reshape(drawn.shape).astype(np.uint8)


@lru_cache(maxsize=4)
def _kept_batches(seed: int, clusters: int, resamples: int) -> list[npt.NDArray[np.uint8]]:
    return list(_batches(seed, clusters, resamples))


def percentile_interval(
    distribution: Numbers, *, clusters: int, bounds: Interval, confidence: float
) -> Interval:
    """Return the interval of a statistic, given its values in the resamples of some clusters.

    It is the middle `confidence` of them. Where they are all the same, so are the clusters, and
    resampling says nothing of those that were not drawn: then it is that of a value which all of
    `clusters` have (`with_unseen`). (nan, nan) where no resample has a value.
    """
    values = known_values(distribution)
    if not values.size:
        return nan, nan
    if agree(values, bounds=bounds):
        value = float(values[0])
        return with_unseen(value, clusters=clusters, bounds=bounds, confidence=confidence)
    return middle(values, confidence=confidence)


def known_values(distribution: Numbers) -> Numbers:
    """Return the values of a statistic, without the resamples in which it has none.

    Where nothing was drawn that the statistic divides by, the resample says nothing.
    """
    return distribution[~np.isnan(distribution)]


def middle(values: Numbers, *, confidence: float) -> Interval:
    """Return the ends of the middle `confidence` of the values."""
    tail = (1 - confidence) / 2
    low, high = np.percentile(values, [tail * 100, (1 - tail) * 100])
    return float(low), float(high)
