"""Tests of two models on the same suite, and the false discovery rate of many comparisons."""

from collections.abc import Sequence

import numpy as np
import scipy  # which loads scipy.stats when it is first used

from .resampling import Numbers


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Return the exact two-sided p-value for two models that succeed equally often on one suite.

    `first_only` and `second_only` count the discordant trials, in which only one model succeeds.
    Under the null, `first_only` is Binomial(first_only + second_only, 1/2) (McNemar 1947,
    doi:10.1007/BF02295996). The test assumes independent trials; it is 1 if none is discordant.
    """
    discordant = first_only + second_only
    return float(scipy.stats.binomtest(first_only, discordant).pvalue) if discordant else 1.0


BATCH = 100
"""Permutations made at once: for tens of thousands of clusters, all would take gigabytes."""


def sign_flip_test(differences: Sequence[float], *, seed: int, permutations: int = 9999) -> float:
    """Return the two-sided p-value for two models that do not differ.

    `differences[i]` is the sum of differences of the two models over cluster i (here: the mutants
    of one original). Under the null the models can be swapped in each whole cluster, which flips
    the sign of its difference, whatever the correlations inside (Hemerik, Goeman and Finos
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


def q_values(p_values: Sequence[float]) -> Numbers:
    """Return the Benjamini-Hochberg adjusted p-values, nan where there is no p-value.

    If all comparisons with a q-value of at most q are called discoveries, the expected share of
    false ones is at most q (Benjamini and Hochberg 1995,
    doi:10.1111/j.2517-6161.1995.tb02031.x), for independent and for positively dependent tests.
    """
    adjusted = np.asarray(p_values, dtype=float).copy()
    known = ~np.isnan(adjusted)
    if known.any():
        adjusted[known] = scipy.stats.false_discovery_control(adjusted[known], method="bh")
    return adjusted
