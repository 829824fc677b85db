"""Tests of two models and q-values, by hand, by simulation and against other implementations."""

import math
from fractions import Fraction
from itertools import combinations, product
from math import isnan

import numpy as np
import pytest
from hinter.statistics import (
    Stratum,
    mcnemar_exact,
    permutation_test,
    q_values,
    sign_flip_test,
    sign_flip_tests,
)
from hinter.statistics.significance import MANY
from scipy.stats import hypergeom
from scipy.stats import permutation_test as scipy_test
from tries import alike


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 5), (4, 9), (9, 4), (7, 7), (30, 12)])
def test_mcnemar_counts_the_ways_in_which_discordant_trials_fall(first: int, second: int) -> None:
    n = first + second
    extreme = [k for k in range(n + 1) if abs(k - n / 2) >= abs(first - n / 2)]
    expected = Fraction(sum(math.comb(n, k) for k in extreme), 2**n)
    assert mcnemar_exact(first, second) == pytest.approx(float(expected))


@alike("seed", [0], [1, 2, 3])
def test_the_sign_flip_test_is_the_paired_scipy_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 9, size=(2, 9)) + np.array([[1], [0]])
    expected = scipy_test(
        (first, second), lambda x, y: (x - y).sum(), permutation_type="samples", n_resamples=10_000
    ).pvalue
    differences = (first - second).tolist()
    assert sign_flip_test(differences, seed=1) == pytest.approx(expected, abs=0.02)
    assert sign_flip_test(differences, seed=1) == sign_flip_test(differences, seed=1)
    assert sign_flip_test([*differences, 0, 0.0], seed=1) == sign_flip_test(differences, seed=1)


def test_the_sign_flip_test_sees_no_difference_where_models_differ_by_chance() -> None:
    assert sign_flip_test([], seed=1) == sign_flip_test([0, 0], seed=1) == 1
    rng = np.random.default_rng(5)
    found = [
        # Whole originals go together.
        sign_flip_test((rng.choice([-1, 1], size=40) * 50).tolist(), seed=k, permutations=999)
        for k in range(400)
    ]
    assert np.mean(np.array(found) <= 0.05) <= 0.08
    assert sign_flip_test([1] * 40, seed=1) == 1 / 10_000


def test_many_differences_are_tested_like_each_of_them() -> None:
    """In whole numbers, no sum depends on how many are added up at once."""
    rng = np.random.default_rng(3)
    many = rng.integers(-900, 1100, size=(30, 7)).astype(float)
    many[:, 6] = 0
    found = sign_flip_tests(many, seed=4)
    assert found.tolist() == [sign_flip_test(column.tolist(), seed=4) for column in many.T]
    assert found[6] == 1
    assert sign_flip_tests(many[:, :0], seed=4).size == 0


def test_q_values_are_those_of_benjamini_and_hochberg() -> None:
    p_values = [0.01, math.nan, 0.04, 0.03, 0.5, 0.005]
    # Each p times 5 / its rank, then the smallest of those of its rank or higher ones.
    assert q_values(p_values)[[0, 2, 3, 4, 5]] == pytest.approx([0.025, 0.05, 0.05, 0.5, 0.025])
    assert np.isnan(q_values(p_values)[1])
    assert np.isnan(q_values([math.nan])).all()
    assert q_values([]).size == 0


def _stratum(*values: float, sampled: int) -> Stratum:
    return Stratum(np.array(values), sampled)


def test_of_two_strata_of_two_pairs_the_least_p_value_is_a_half() -> None:
    strata = [_stratum(-0.5, 0.5, sampled=1)] * 2
    assert permutation_test(strata, 1, seed=1) == 0.5
    assert permutation_test(strata, 1, seed=1, two_sided=False) == 0.25
    assert permutation_test(strata, 0, seed=1) == 1


def test_few_arrangements_are_all_looked_at() -> None:
    strata = [
        _stratum(0, 0.5, 2, -1, sampled=2),
        _stratum(1, 3, 4, sampled=1),
        _stratum(7, 7, sampled=1),
        _stratum(1, 2, sampled=2),
    ]
    sums = np.array(
        [
            sum(first) + sum(second)
            for first, second in product(
                combinations([0, 0.5, 2, -1], 2), combinations([1, 3, 4], 1)
            )
        ]
    )
    deviations = sums - sums.mean()
    for found in deviations.tolist():
        expected = np.mean(np.abs(deviations) >= abs(found) - 1e-9)
        assert permutation_test(strata, found, seed=1) == pytest.approx(expected)
        wider = np.mean(np.abs(2 * deviations) >= abs(found) - 1e-9)
        assert permutation_test(strata, found, seed=1, spread=2) == pytest.approx(wider)


@pytest.mark.parametrize(
    ("sampled", "units", "successes"), [(30, 90, 12), (5, 100, 40), (300, 900, 4), (3, 9, 4)]
)
def test_the_permutation_test_in_one_stratum_is_fishers_exact_one(
    sampled: int, units: int, successes: int
) -> None:
    exact = hypergeom(units, successes, sampled)
    stratum = _stratum(*[1.0] * successes, *[0.0] * (units - successes), sampled=sampled)
    for found in range(min(sampled, successes) + 1):
        deviation = found - sampled * successes / units
        greater = permutation_test([stratum], deviation, seed=1, two_sided=False)
        assert greater == pytest.approx(exact.sf(found - 1), abs=0.02)


@alike("deviation", [3.0], [25.0, -40.0])
def test_of_many_strata_the_sum_is_normal(deviation: float) -> None:
    rng = np.random.default_rng(1)
    strata = [Stratum(rng.exponential(1, 5), 2) for _ in range(MANY)]
    sampled, wider = (permutation_test(strata, deviation, seed=1, spread=s) for s in (1, 1.5))
    one = permutation_test(strata, deviation, seed=1, two_sided=False)
    strata.append(_stratum(0, 1e-6, sampled=1))
    assert permutation_test(strata, deviation, seed=1) == pytest.approx(sampled, abs=0.015)
    known = permutation_test(strata, deviation, seed=1, spread=1.5)
    assert known == pytest.approx(wider, abs=0.015)
    known = permutation_test(strata, deviation, seed=1, two_sided=False)
    assert known == pytest.approx(one, abs=0.015)


def test_many_arrangements_of_unlike_values_are_drawn() -> None:
    rng = np.random.default_rng(2)
    strata = [Stratum(rng.normal(size=30), sampled) for sampled in (1, 7, 12)]
    sums = np.array(
        [
            sum(rng.permutation(values)[:sampled].sum() for values, sampled in strata)
            for _ in range(4000)
        ]
    )
    expected = sum(sampled * values.mean() for values, sampled in strata)
    for deviation in (0.5, 3.0, 6.0):
        plain = np.mean(np.abs(sums - expected) >= deviation)
        assert permutation_test(strata, deviation, seed=4) == pytest.approx(plain, abs=0.04)
    assert permutation_test(strata, 1e6, seed=4) == 1e-4


def test_nothing_to_permute_has_no_p_value() -> None:
    assert isnan(permutation_test([], 0, seed=1))
    assert isnan(permutation_test([_stratum(2, 2, sampled=1), _stratum(1, sampled=1)], 0, seed=1))
