"""Made-up clusters of trials."""

import numpy as np
from hinter.statistics import Sums


def two_arms(seed: int, *, clusters: int = 50) -> tuple[Sums, Sums]:
    """Successes and trials of two rates over the same clusters, some without trials of one."""
    rng = np.random.default_rng(seed)
    rates = rng.beta(2, 6, size=clusters)
    trials = rng.integers(0, 9, size=(2, clusters))
    first, second = ((rng.binomial(tried, rates).tolist(), tried.tolist()) for tried in trials)
    return first, second
