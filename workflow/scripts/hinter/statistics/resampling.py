"""The Bayesian bootstrap of whole clusters, on which all bootstraps here are built."""

from collections.abc import Callable, Sequence
from math import floor, log10, nan, sqrt

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Interval = tuple[float, float]


def divide(part: Numbers, whole: Numbers) -> Numbers:
    """Return part / whole; nan where the whole is 0."""
    ratio: Numbers = np.divide(part, whole, out=np.full(np.shape(part), nan), where=whole != 0)
    return ratio


Sums = tuple[Sequence[float], Sequence[float]]
"""The parts and the wholes of a ratio, each as a sum per cluster."""

Statistic = Callable[..., Numbers]
"""A function of the total of each column of sums by cluster, one number per resample."""

RESAMPLES = 2000

BATCH = 1000
"""Clusters that get their weights at once, which bounds the memory."""


def bootstrap(
    arms: Sequence[Sums],
    statistic: Statistic,
    *,
    ends: tuple[Sequence[float], Sequence[float]],
    seed: int,
    confidence: float = 0.95,
) -> Interval:
    """Return the interval of a statistic of ratios over the same clusters.

    Each of the `arms` is a ratio; the statistic takes the parts and the wholes of each. `ends` are
    the ratios for which it is lowest, and those for which it is highest. Returns (nan, nan) for
    fewer than two clusters.
    """
    table = np.array([column for arm in arms for column in arm], dtype=float).T
    wholes = table[:, 1::2]
    tried = wholes > 0
    if tried.any(axis=1).sum() < 2:
        return nan, nan
    sizes = divide(wholes.sum(axis=0), tried.sum(axis=0))
    rows = [np.column_stack([ratios * sizes, sizes]).ravel() for ratios in np.array(ends)]
    return interval_of(table, statistic, ends=rows, seed=seed, confidence=confidence)


def interval_of(
    table: Numbers,
    statistic: Statistic,
    *,
    ends: Sequence[Numbers],
    seed: int,
    confidence: float = 0.95,
) -> Interval:
    """Return the interval of a statistic, given the sums of each cluster as a row of the table.

    `ends` are clusters of a usual size for which it is lowest and highest. Half of each is added,
    as none like them may have been seen (Jeffreys' prior); if all clusters are like one of them,
    the other one is added whole. For a rate with one trial per cluster, the interval is Jeffreys',
    and at 0 and 1 Clopper and Pearson's (Brown, Cai and DasGupta 2001, doi:10.1214/ss/1009213286).
    Returns (nan, nan) if the statistic has no value.
    """
    lowest, highest, value = (float(statistic(*row)) for row in (*ends, table.sum(axis=0)))
    if np.isnan(value):
        return nan, nan
    totals = resample_clusters(
        np.concatenate([table, *(row[np.newaxis] for row in ends)]),
        shares=shares_of_ends(at_lowest=value == lowest, at_highest=value == highest),
        seed=seed,
    )
    low, high = middle(statistic(*totals), confidence=confidence)
    return lowest if value == lowest else low, highest if value == highest else high


def shares_of_ends(*, at_lowest: bool, at_highest: bool) -> list[float]:
    """Return how much is added of a cluster at the lowest end, and of one at the highest end."""
    lean = (at_lowest - at_highest) / 2
    return [0.5 - lean, 0.5 + lean]


def resample_clusters(table: Numbers, *, seed: int, shares: Sequence[float] = ()) -> Numbers:
    """Return the total of each column in each resample, given the sums of each cluster as a row.

    In a resample every whole cluster has a random weight with the exponential distribution (the
    Bayesian bootstrap: Rubin 1981, doi:10.1214/aos/1176345338). Only the `shares` of the last rows
    count. Equal clusters are weighted together, and empty clusters not at all, so that totals
    depend neither on the order of clusters nor on empty ones.
    """
    whole, partial = np.split(table, [len(table) - len(shares)])
    clusters, times = np.unique(whole[whole.any(axis=1)], axis=0, return_counts=True)
    clusters, shapes = np.concatenate([clusters, partial]), np.concatenate([times, shares])
    rng = np.random.default_rng(seed)
    totals = np.zeros((table.shape[1], RESAMPLES))
    for start in range(0, len(clusters), BATCH):
        part = slice(start, start + BATCH)
        sampled = shapes[part, np.newaxis]
        totals += clusters[part].T @ rng.standard_gamma(sampled, size=(len(sampled), RESAMPLES))
    return totals


def resample_rates(rates: Sequence[Sums], *, seed: int) -> Numbers:
    """Return the total successes and trials of each rate in each resample of the same clusters.

    Half a cluster of successes and half a cluster of failures are added to each rate (see
    `interval_of`), so that a rate seen in a single cluster does not count as known. All are nan for
    fewer than two clusters.
    """
    table = np.array([column for rate in rates for column in rate], dtype=float).T
    tried = (table[:, 1::2] > 0).sum(axis=0)
    if table.any(axis=1).sum() < 2:
        return np.full((table.shape[1], RESAMPLES), np.nan)
    ends, shares = np.zeros((2 * len(rates), table.shape[1])), []
    for rate, (successes, trials) in enumerate(rates):
        size = sum(trials) / max(tried[rate], 1)
        ends[2 * rate : 2 * rate + 2, 2 * rate : 2 * rate + 2] = [[0, size], [size, size]]
        at_highest = list(successes) == list(trials)
        shares += shares_of_ends(at_lowest=not any(successes), at_highest=at_highest)
    rows = np.concatenate([table, ends])
    return resample_clusters(rows, seed=seed, shares=shares)


def middle(values: Numbers, *, confidence: float = 0.95) -> Interval:
    """Return the ends of the middle `confidence` of the known values; (nan, nan) for none.

    They are rounded to the decimal in which they would change with other resamples.
    """
    values = values[~np.isnan(values)]
    if not values.size:
        return nan, nan
    tail = (1 - confidence) / 2
    slip = sqrt(tail * (1 - tail) / len(values))
    low, high = (
        _rounded(*np.quantile(values, [max(place - slip, 0), place, min(place + slip, 1)]))
        for place in (tail, 1 - tail)
    )
    return low, high


def _rounded(below: float, end: float, above: float) -> float:
    error = (above - below) / 2
    return round(float(end), -floor(log10(error))) if error > 0 else float(end)


def likely_bounds(parts: Sequence[float], wholes: Sequence[float], *, bounds: Interval) -> Interval:
    """Return the likely range of clusters: three standard deviations around the mean, in `bounds`.

    If all clusters are alike, it is `bounds`.
    """
    part, whole = np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)
    ratios = divide(part, whole)[whole > 0]
    reach = 3 * float(np.std(ratios, ddof=1)) if len(ratios) > 1 else 0.0
    if reach <= 1e-9 * (bounds[1] - bounds[0]):
        return bounds
    mean = float(part.sum() / whole.sum())
    return max(bounds[0], mean - reach), min(bounds[1], mean + reach)
