"""The bootstrap of what is made of two samples with clusters of their own."""

from collections.abc import Callable, Sequence
from math import nan

import numpy as np

from .resampling import Interval, Numbers, percentile_interval, resample_clusters

Columns = Sequence[Sequence[float]]
"""By quantity, its sum over each cluster of a sample."""


def bootstrap_two_samples(
    first: Columns,
    second: Columns,
    statistic: Callable[..., Numbers],
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> Interval:
    """Return the percentile interval of a statistic, resampling the clusters of each sample apart.

    The statistic is given the total of each column, first those of the first sample, one number
    per resample. Nothing that varies in one sample goes with what varies in the other. (nan, nan)
    where a sample has fewer than two clusters.
    """
    # Of one seed, samples of equal size would be resampled alike.
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    totals = [
        resample_clusters(columns, _together, seed=own, resamples=resamples)
        for columns, own in zip((first, second), seeds, strict=True)
    ]
    if not all(part.size for part in totals):
        return nan, nan
    return percentile_interval(statistic(*totals[0], *totals[1]), confidence=confidence)


def _together(*totals: Numbers) -> Numbers:
    return np.stack(totals)
