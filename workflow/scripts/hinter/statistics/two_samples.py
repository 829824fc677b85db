"""The bootstrap of what is made of two samples with clusters of their own."""

from collections.abc import Callable, Sequence
from itertools import product
from math import nan

import numpy as np

from .arrays import Numbers
from .resampling import Sums, known_values, middle, resample_clusters
from .unseen import agree, lean
from .wilson import Interval

Sample = Sequence[Sums]
"""Rates of one sample, each by the successes and trials of every cluster."""


def bootstrap_two_samples(
    first: Sample,
    second: Sample,
    statistic: Callable[..., Numbers],
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> Interval:
    """Return the percentile interval of a statistic, resampling the clusters of each sample apart.

    The statistic is given the total successes and trials of each rate, first those of the first
    sample, one number per resample. Nothing that varies in one sample goes with what varies in the
    other. Where the statistic is the same whatever is drawn, each rate in which all clusters agree
    is taken as low and as high as clusters that were not seen may make it. (nan, nan) where a
    sample has fewer than two clusters.
    """

    def distribution(*samples: Sample) -> Numbers:
        return _resample(samples, statistic, seed=seed, resamples=resamples)

    values = distribution(first, second)
    if not values.size:
        return nan, nan
    if not agree(values, bounds=(0, 1)):
        return middle(values, confidence=confidence)
    leaning = [
        [[lean(*rate, towards=end, confidence=confidence) for rate in sample] for end in (0, 1)]
        for sample in (first, second)
    ]
    ends = [middle(distribution(*pair), confidence=confidence) for pair in product(*leaning)]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _resample(
    samples: Sequence[Sample], statistic: Callable[..., Numbers], *, seed: int, resamples: int
) -> Numbers:
    # Of one seed, samples of equal size would be resampled alike.
    seeds = np.random.SeedSequence(seed).generate_state(len(samples)).tolist()
    totals = [
        resample_clusters(
            [column for rate in sample for column in rate],
            lambda *drawn: np.stack(drawn),
            seed=own,
            resamples=resamples,
        )
        for sample, own in zip(samples, seeds, strict=True)
    ]
    if not all(part.size for part in totals):
        return np.empty(0)
    return known_values(statistic(*np.concatenate(totals)))
