"""The bootstrap of a statistic of two samples, each with clusters of its own."""

from collections.abc import Callable, Sequence
from itertools import product
from math import nan

import numpy as np

from .arrays import Numbers
from .resampling import Sums, known_values, middle, resample_clusters
from .unseen import agree, lean
from .wilson import Interval

Sample = Sequence[Sums]
"""The rates of one sample, each by the successes and trials of every cluster."""


def bootstrap_two_samples(
    first: Sample,
    second: Sample,
    statistic: Callable[..., Numbers],
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> Interval:
    """Return the percentile interval of a statistic, resampling each sample independently.

    The statistic takes the total successes and trials of each rate, those of the first sample
    first, one number per resample. Where it is the same in all resamples, each rate on which all
    clusters agree is taken as low and as high as unseen clusters may make it. (nan, nan) where a
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
    # With one seed, samples of equal size would be resampled in the same way.
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
