"""Tests of two models on one suite and within strata, and the false discovery rate of many."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from math import comb, erfc, nan, prod, sqrt
from typing import NamedTuple

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


EXACT = 10_000
"""Up to this many arrangements, the test is exact."""

MANY = 500
"""With more strata, none of which matters much, the sum is normal under the null."""

AT_ONCE = 1_000_000
"""About as many values are shuffled at once, which bounds the memory."""


class Stratum(NamedTuple):
    """The values of all units of a stratum, and how many of its units are sampled (`sampled`)."""

    values: Numbers
    sampled: int

    @property
    def variance(self) -> float:
        """The variance of the sum of the sampled units, over all choices of them."""
        n = len(self.values)
        return self.sampled * (n - self.sampled) / (n - 1) * float(np.var(self.values))


def permutation_test(
    strata: Sequence[Stratum],
    deviation: float,
    *,
    seed: int,
    spread: float = 1.0,
    two_sided: bool = True,
    permutations: int = 9999,
) -> float:
    """Return the p-value of the sum of the sampled values, given its `deviation` from the mean.

    Under the null the units that are sampled from each stratum are a random choice. If there are at
    most `EXACT` possible choices, all are computed; otherwise `permutations` are sampled, and p is
    never 0 (Phipson and Smyth 2010, doi:10.2202/1544-6115.1585). For more than `MANY` strata, the
    sum has the normal distribution that the choices approach. Deviations under the null are
    multiplied by `spread`. A one-sided test is for sums above the mean. Returns nan if nothing can
    be permuted.
    """
    free = [
        each for each in strata if each.sampled < len(each.values) and np.ptp(each.values) > 1e-9
    ]
    if not free:
        return nan
    if len(free) > MANY:
        error = spread * sqrt(2 * sum(each.variance for each in free))
        return erfc(abs(deviation) / error) if two_sided else erfc(deviation / error) / 2
    exact = prod(comb(len(values), sampled) for values, sampled in free) <= EXACT
    rng = np.random.default_rng(seed)
    draws = (_all(each) if exact else _some(each, rng, permutations) for each in free)
    sums = (
        reduce(lambda one, other: np.add.outer(one, other).ravel(), draws) if exact else sum(draws)
    )
    expected = sum(sampled * values.mean() for values, sampled in free)
    found = spread * (sums - expected)
    found, reached = (np.abs(found), abs(deviation)) if two_sided else (found, deviation)
    # Sums that differ only by rounding count as ties.
    times = int((found >= reached - 1e-9).sum())
    return times / len(found) if exact else (1 + times) / (1 + permutations)


def _all(stratum: Stratum) -> Numbers:
    chosen = combinations(stratum.values.tolist(), stratum.sampled)
    return np.array([sum(values) for values in chosen])


def _some(stratum: Stratum, rng: np.random.Generator, size: int) -> Numbers:
    values, sampled = stratum
    low, high = values.min(), values.max()
    if np.isin(values, (low, high)).all():
        highs = int((values == high).sum())
        times = rng.hypergeometric(highs, len(values) - highs, sampled, size=size)
        return np.asarray(low * sampled + (high - low) * times)
    if sampled == 1:
        return rng.choice(values, size=size)
    at_once = max(1, AT_ONCE // len(values))
    rows = [min(at_once, size - start) for start in range(0, size, at_once)]
    shuffled = (rng.permuted(np.tile(values, (each, 1)), axis=1) for each in rows)
    return np.concatenate([part[:, :sampled].sum(axis=1) for part in shuffled])
