"""The bootstrap of a statistic of two samples, each with clusters of its own."""

from collections.abc import Sequence

import numpy as np

from .resampling import Statistic, Sums, middle, resample_rates
from .wilson import Interval


def bootstrap_two_samples(
    first: Sequence[Sums], second: Sequence[Sums], statistic: Statistic, *, seed: int
) -> Interval:
    """Return the interval of a statistic of rates, weighing the clusters of each sample apart.

    The rates of a sample are given by the successes and trials of every cluster. The statistic
    takes the totals of each, those of the first sample first, as `resample_rates` has them. (nan,
    nan) where a sample has fewer than two clusters.
    """
    # With one seed, samples of equal size would be resampled in the same way.
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    totals = [
        resample_rates(sample, seed=own) for sample, own in zip((first, second), seeds, strict=True)
    ]
    return middle(statistic(*np.concatenate(totals)))
