"""Tests of two models and q-values, by hand, by simulation and against other implementations."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hinter.statistics import mcnemar_exact, q_values, sign_flip_test, sign_flip_tests
from scipy.stats import permutation_test


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 5), (4, 9), (9, 4), (7, 7), (30, 12)])
def test_mcnemar_counts_the_ways_in_which_discordant_trials_fall(first: int, second: int) -> None:
    n = first + second
    extreme = [k for k in range(n + 1) if abs(k - n / 2) >= abs(first - n / 2)]
    expected = Fraction(sum(math.comb(n, k) for k in extreme), 2**n)
    assert mcnemar_exact(first, second) == pytest.approx(float(expected))


@pytest.mark.parametrize("seed", range(4))
def test_the_sign_flip_test_is_the_paired_permutation_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 9, size=(2, 9)) + np.array([[1], [0]])
    expected = permutation_test(
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
