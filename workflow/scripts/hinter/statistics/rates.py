"""Intervals of rates: Wilson's of one, bootstraps of ranks and of a statistic of two samples."""

from collections.abc import Sequence
from math import nan

import numpy as np
import scipy  # which loads scipy.stats when it is first used

from .resampling import Interval, Numbers, Statistic, Sums, divide, middle, resample_rates


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
