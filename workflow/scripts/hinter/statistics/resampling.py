"""Resampling whole clusters, of which every bootstrap here is made."""

from collections.abc import Callable, Sequence
from math import nan

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Interval = tuple[float, float]
Sums = tuple[Sequence[float], Sequence[float]]
"""By cluster, the two sums whose totals make a ratio: parts and wholes."""

BATCH = 100
"""Resamples drawn at once: all of them would take gigabytes for tens of thousands of clusters."""


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
    rng = np.random.default_rng(seed)
    sizes = [min(BATCH, resamples - done) for done in range(0, resamples, BATCH)]
    totals = [_draw(rng, size, clusters=len(table)) @ table for size in sizes]
    return statistic(*np.concatenate(totals).T)


def _draw(rng: np.random.Generator, resamples: int, *, clusters: int) -> Numbers:
    """Return how often each resample holds each cluster."""
    drawn = rng.integers(0, clusters, size=(resamples, clusters))
    drawn += clusters * np.arange(resamples)[:, np.newaxis]
    counts = np.bincount(drawn.ravel(), minlength=drawn.size)
    return counts.reshape(drawn.shape).astype(float)


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
