"""The permutation test of paired outcomes that swaps the models in whole clusters."""

from collections.abc import Sequence

import numpy as np

from .arrays import Numbers

BATCH = 100
"""Permutations made at once: for tens of thousands of clusters, all would take gigabytes."""


def sign_flip_test(differences: Sequence[float], *, seed: int, permutations: int = 9999) -> float:
    """Return the two-sided p-value for two models that do not differ.

    `differences[i]` is the sum of differences of the two models over cluster i (here: the mutants
    of one original). Under the null the models can be swapped in each cluster as a whole, which
    flips the sign of its difference, whatever the correlations inside (Hemerik, Goeman and Finos
    2020, doi:10.1111/rssb.12369). The statistic is the sum; p is (1 + the number of permutations
    that reach it) / (1 + permutations), so never 0 (Phipson and Smyth 2010,
    doi:10.2202/1544-6115.1585).
    """
    values = np.asarray([value for value in differences if value], dtype=float)
    (p_value,) = sign_flip_tests(values[:, np.newaxis], seed=seed, permutations=permutations)
    return float(p_value)


def sign_flip_tests(differences: Numbers, *, seed: int, permutations: int = 9999) -> Numbers:
    """Return the p-value of `sign_flip_test` for each column, all from the same permutations.

    `differences[i, j]` is the sum of differences j over cluster i, 0 where it has none.
    """
    rng = np.random.default_rng(seed)
    # Sums that differ only by rounding count as ties.
    observed = np.abs(differences.sum(axis=0)) * (1 - 1e-9)
    reached = np.zeros(len(observed))
    for done in range(0, permutations, BATCH):
        size = (min(BATCH, permutations - done), len(differences))
        signs = 2.0 * rng.integers(0, 2, size=size, dtype=np.int8) - 1
        reached += (np.abs(signs @ differences) >= observed).sum(axis=0)
    p_values: Numbers = (1 + reached) / (1 + permutations)
    return p_values
