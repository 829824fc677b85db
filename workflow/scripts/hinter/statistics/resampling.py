"""Resampling whole clusters, on which every bootstrap here is built."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import nan

import numpy as np
import numpy.typing as npt

from .arrays import Numbers
from .unseen import agree, with_unseen
from .wilson import Interval

Sums = tuple[Sequence[float], Sequence[float]]
"""The parts and the wholes of a ratio, each as a sum per cluster."""

BATCH = 20
"""Resamples drawn at once: few enough for the processor's cache; all would take gigabytes."""

KEPT = 50_000_000
"""Up to this many resampled clusters (bytes) are kept, as the rates of a table share them."""


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

    Each of the `arms` is a ratio. The statistic takes the totals of the parts and of the wholes of
    each, one number per resample, and has values inside `bounds`. Where all resamples agree, the
    number of clusters is that of the arm with the fewest.
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

    `columns[j][i]` is the sum of quantity j over cluster i; the statistic takes the total of each
    column, one number per resample. Whole clusters are drawn, so all columns stay together. The
    result is empty for fewer than two clusters.
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
        # Each resample gets numbers of its own, so that one bincount counts them all.
        drawn += clusters * np.arange(len(drawn))[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=drawn.size)
        # The counts fit: of 256 clusters or more, none is ever drawn 256 times.
        yield counts.reshape(drawn.shape).astype(np.uint8)


@lru_cache(maxsize=4)
def _kept_batches(seed: int, clusters: int, resamples: int) -> list[npt.NDArray[np.uint8]]:
    return list(_batches(seed, clusters, resamples))


def percentile_interval(
    distribution: Numbers, *, clusters: int, bounds: Interval, confidence: float
) -> Interval:
    """Return the interval of a statistic, given its values in the resamples of some clusters.

    It is the middle `confidence` of the values. Where they are all the same, so are the clusters,
    and resampling says nothing about unseen ones: then it is the interval of a value that all of
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

    It has none where the divisor of a ratio is 0 in the resample.
    """
    return distribution[~np.isnan(distribution)]


def middle(values: Numbers, *, confidence: float) -> Interval:
    """Return the ends of the middle `confidence` of the values."""
    tail = (1 - confidence) / 2
    low, high = np.percentile(values, [tail * 100, (1 - tail) * 100])
    return float(low), float(high)
