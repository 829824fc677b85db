"""The places of rates among each other, with their cluster bootstrap."""

from math import nan

import numpy as np
import scipy  # which loads scipy.stats when it is first used

from .arrays import Numbers, divide
from .resampling import resample_rates
from .wilson import Interval


def bootstrap_ranks(parts: Numbers, wholes: Numbers, *, seed: int) -> list[Interval]:
    """Return the interval of each rate's rank, 1 for the highest rate.

    `parts[i, j]` and `wholes[i, j]` are successes and trials of rate j in cluster i. All rates are
    ranked in the same resamples of whole clusters, equal rates by the best of their places. (nan,
    nan) for a rate with trials in fewer than two clusters.
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
