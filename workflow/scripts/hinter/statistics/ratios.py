"""Intervals: Wilson's of a rate, and cluster bootstraps of ratios, differences and ranks."""

from collections.abc import Sequence
from math import inf, nan
from typing import NamedTuple

import numpy as np
import scipy  # which loads scipy.stats when it is first used

from .resampling import (
    Interval,
    Numbers,
    Statistic,
    Sums,
    bootstrap,
    divide,
    likely_bounds,
    middle,
    resample_rates,
)


def cluster_bootstrap(
    parts: Sequence[float],
    wholes: Sequence[float],
    *,
    seed: int,
    bounds: Interval = (0, 1),
    confidence: float = 0.95,
) -> Interval:
    """Return the interval of sum(parts) / sum(wholes) by giving clusters random weights.

    `parts[i]` and `wholes[i]` belong to cluster i (here: the mutants of one original): successes
    and trials of a proportion, or weighted values and weights of a mean. Correlated outcomes within
    a cluster therefore widen the interval as they should. Clusters that were not seen may have any
    ratio inside `bounds`. Clusters without a whole change nothing. Returns (nan, nan) for fewer
    than two clusters.
    """
    ends = [bounds[0]], [bounds[1]]
    return bootstrap([(parts, wholes)], divide, ends=ends, seed=seed, confidence=confidence)


def bootstrap_difference(
    first: Sums, second: Sums, *, seed: int, bounds: Interval = (0, 1)
) -> Interval:
    """Return the interval of the first ratio minus the second by giving clusters random weights.

    Each ratio is given by the parts and wholes of every cluster, 0 where a cluster has none. Both
    are computed from the same resamples, so what they share in a cluster cancels out. Clusters that
    were not seen may have any ratios inside `bounds`. Returns (nan, nan) for fewer than two
    clusters.
    """
    return bootstrap([first, second], _subtract, ends=(bounds, bounds[::-1]), seed=seed)


def _subtract(part: Numbers, whole: Numbers, other_part: Numbers, other_whole: Numbers) -> Numbers:
    return divide(part, whole) - divide(other_part, other_whole)


def bootstrap_rate_ratio(first: Sums, second: Sums, *, seed: int) -> Interval:
    """Return the interval of the first rate over the second by giving clusters random weights.

    Each rate is given by the successes and trials of every cluster, 0 where a cluster has none.
    Returns (nan, nan) if either rate has no success at all: resampling says nothing about it.
    """
    if not sum(first[0]) or not sum(second[0]):
        return nan, nan
    # The share of the first rate in the sum of both is always finite, and ordered like the ratio.
    low, high = bootstrap([first, second], _share, ends=([0, 1], [1, 0]), seed=seed)
    return _ratio(low), _ratio(high)


def _share(part: Numbers, whole: Numbers, other_part: Numbers, other_whole: Numbers) -> Numbers:
    rate, other_rate = divide(part, whole), divide(other_part, other_whole)
    return divide(rate, rate + other_rate)


def _ratio(share: float) -> float:
    return inf if share == 1 else share / (1 - share)


class PairedDifference(NamedTuple):
    """A mean difference of pairs, in their unit, with its 95 % and 90 % intervals."""

    mean: float
    interval: Interval
    narrow: Interval

    def equivalent_within(self, margin: float) -> bool | None:
        """Return whether two one-sided tests at 5 % show the mean to be between -margin and margin.

        They do if the 90 % interval lies inside (Schuirmann 1987, doi:10.1007/BF01068419). None if
        there is no interval; False only means that it was not shown.
        """
        low, high = self.narrow
        return None if np.isnan(low) else -margin < low and high < margin


def paired_difference(
    differences: Sequence[float], weights: Sequence[float], *, bounds: Interval, seed: int
) -> PairedDifference:
    """Return the weighted mean of the differences of pairs, with its intervals by cluster.

    `differences[i]` is the sum of weight times difference over the pairs of cluster i, and
    `weights[i]` the sum of their weights. If all weights are 0, the mean is nan. Clusters that were
    not seen may be as far away as `likely_bounds` says, given the `bounds` of the scale.
    """
    likely = likely_bounds(differences, weights, bounds=bounds)
    interval, narrow = (
        cluster_bootstrap(differences, weights, bounds=likely, seed=seed, confidence=confidence)
        for confidence in (0.95, 0.90)
    )
    return PairedDifference(float(divide(np.sum(differences), np.sum(weights))), interval, narrow)


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval (Wilson 1927) of `successes` out of `n`, as proportions.

    It assumes independent trials. Returns (nan, nan) if n is 0.
    """
    if n == 0:
        return nan, nan
    interval = scipy.stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def bootstrap_ranks(parts: Numbers, wholes: Numbers, *, seed: int) -> list[Interval]:
    """Return the interval of each rate's rank, 1 for the highest rate.

    `parts[i, j]` and `wholes[i, j]` are successes and trials of rate j in cluster i. All rates are
    ranked in the same resamples of whole clusters; equal rates share the best of their ranks.
    Returns (nan, nan) for a rate with trials in fewer than two clusters.
    """
    rates = list(zip(parts.T.tolist(), wholes.T.tolist(), strict=True))
    totals = resample_rates(rates, seed=seed)
    known = -divide(totals[::2], totals[1::2])
    places = scipy.stats.rankdata(known, method="min", axis=0, nan_policy="omit")
    tried = (wholes > 0).sum(axis=0)
    return [
        _middle(ranks) if count >= 2 else (nan, nan)
        for ranks, count in zip(np.asarray(places), tried, strict=True)
    ]


def _middle(ranks: Numbers) -> Interval:
    low, high = np.quantile(ranks, [0.025, 0.975], method="inverted_cdf")
    return float(low), float(high)


def bootstrap_two_samples(
    first: Sequence[Sums], second: Sequence[Sums], statistic: Statistic, *, seed: int
) -> Interval:
    """Return the interval of a statistic of rates by resampling each sample's clusters separately.

    The rates of a sample are given by the successes and trials of every cluster. The statistic
    takes the totals of each as `resample_rates` returns them, those of the first sample first.
    Returns (nan, nan) if a sample has fewer than two clusters.
    """
    # With the same seed, samples of equal size would get the same weights.
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    totals = [
        resample_rates(sample, seed=own) for sample, own in zip((first, second), seeds, strict=True)
    ]
    return middle(statistic(*np.concatenate(totals)))
