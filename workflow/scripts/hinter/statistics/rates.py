"""The cluster bootstrap of many rates, or means, over the same clusters."""

from math import nan

import numpy as np

from .arrays import Numbers, divide
from .resampling import percentile_interval, resample_clusters
from .wilson import Interval


def bootstrap_rates(
    parts: Numbers,
    wholes: Numbers,
    *,
    seed: int,
    bounds: Interval = (0, 1),
    confidence: float = 0.95,
    resamples: int = 2000,
) -> list[Interval]:
    """Return the percentile interval of each rate, all from the same resamples.

    `parts[i, j]` and `wholes[i, j]` are successes and trials of rate j in cluster i, or sum and
    number of the values of a mean, which lies inside `bounds`. This is `cluster_bootstrap` of each
    column, except that the clusters are drawn once for all, including those without trials. (nan,
    nan) for a rate with trials in fewer than two clusters.
    """
    columns = [*parts.T, *wholes.T]
    distributions = resample_clusters(columns, _ratios, seed=seed, resamples=resamples)
    if not distributions.size:
        return [(nan, nan)] * parts.shape[1]
    return [
        percentile_interval(distribution, clusters=tried, bounds=bounds, confidence=confidence)
        if tried >= 2
        else (nan, nan)
        for distribution, tried in zip(
            distributions, (wholes > 0).sum(axis=0).tolist(), strict=True
        )
    ]


def _ratios(*totals: Numbers) -> Numbers:
    parts, wholes = np.split(np.stack(totals), 2)
    return divide(parts, wholes)
