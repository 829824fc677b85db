"""The places of rates among each other, with their cluster bootstrap."""

from math import nan

import numpy as np
import scipy  # which loads scipy.stats when it is first used

from .arrays import Numbers, divide
from .resampling import known_values, resample_clusters
from .wilson import Interval


def bootstrap_ranks(
    parts: Numbers,
    wholes: Numbers,
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> list[Interval]:
    """Return the percentile interval of each rate's rank, 1 for the highest rate.

    `parts[i, j]` and `wholes[i, j]` are successes and trials of rate j in cluster i. All rates are
    ranked in the same resamples of whole clusters, equal rates by the best of their places. (nan,
    nan) for a rate with trials in fewer than two clusters.
    """
    columns = [*parts.T, *wholes.T]
    distributions = resample_clusters(columns, _ranks, seed=seed, resamples=resamples)
    if not distributions.size:
        return [(nan, nan)] * parts.shape[1]
    tail = (1 - confidence) / 2
    tried = (wholes > 0).sum(axis=0)
    return [
        _middle(known_values(ranks), tail=tail) if count >= 2 else (nan, nan)
        for ranks, count in zip(distributions, tried, strict=True)
    ]


def _ranks(*totals: Numbers) -> Numbers:
    parts, wholes = np.split(np.stack(totals), 2)
    rates = divide(parts, wholes)
    return np.asarray(scipy.stats.rankdata(-rates, method="min", axis=0, nan_policy="omit"))


def _middle(ranks: Numbers, *, tail: float) -> Interval:
    low, high = np.quantile(ranks, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)
