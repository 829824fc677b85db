"""Made-up clusters of trials."""

import numpy as np
from hinter.statistics import Sums, cluster_bootstrap


def two_arms(seed: int, *, clusters: int = 50) -> tuple[Sums, Sums]:
    """Successes and trials of two rates over the same clusters, some without trials of one."""
    rng = np.random.default_rng(seed)
    rates = rng.beta(2, 6, size=clusters)
    trials = rng.integers(0, 9, size=(2, clusters))
    first, second = ((rng.binomial(tried, rates).tolist(), tried.tolist()) for tried in trials)
    return first, second


def rare_sums(
    rng: np.random.Generator, *, clusters: int, rate: float, correlation: float
) -> tuple[list[int], list[int]]:
    """Successes and trials of clusters of unequal sizes, alike inside by this correlation."""
    trials = rng.geometric(0.4, size=clusters)
    spread = (1 - correlation) / correlation
    rates = rng.beta(rate * spread, (1 - rate) * spread, size=clusters) if rate else 0.0
    return rng.binomial(trials, rates).tolist(), trials.tolist()


def coverage(*, clusters: int, rate: float, correlation: float, repetitions: int) -> float:
    """The share of samples whose interval of the rate holds it."""
    rng, covered = np.random.default_rng(8), 0
    for seed in range(repetitions):
        sums = rare_sums(rng, clusters=clusters, rate=rate, correlation=correlation)
        low, high = cluster_bootstrap(*sums, seed=seed)
        covered += low <= rate <= high
    return covered / repetitions
