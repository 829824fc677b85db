"""Resampling whole clusters, of which every bootstrap here is made."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import nan

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Interval = tuple[float, float]
Sums = tuple[Sequence[float], Sequence[float]]
"""By cluster, the two sums whose totals make a ratio: parts and wholes."""

BATCH = 20
"""Resamples drawn at once: few enough for the cache, where all of them would take gigabytes."""

KEPT = 50_000_000
"""Up to this many resampled clusters (bytes) are kept: the rates of a table have the same ones."""


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


def percentile_interval(distribution: Numbers, *, confidence: float) -> Interval:
    """Return the middle `confidence` of a distribution; (nan, nan) where nothing is in it.

    Resamples in which the statistic has no value (nothing drawn has what it divides by) say
    nothing and are left out.
    """
    if np.isnan(distribution).all():
        return nan, nan
    tail = (1 - confidence) / 2
    low, high = np.nanpercentile(distribution, [tail * 100, (1 - tail) * 100])
    return float(low), float(high)


def divide(part: Numbers, whole: Numbers) -> Numbers:
    """Return part / whole, nan where the whole is 0."""
    ratio: Numbers = np.divide(part, whole, out=np.full(np.shape(part), nan), where=whole != 0)
    return ratio
