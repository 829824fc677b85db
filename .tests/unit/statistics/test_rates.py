"""Intervals of rates: Wilson's against its equation, and bootstraps of several rates."""

import math
from math import isnan

import numpy as np
import pytest
from hinter.statistics import bootstrap_ranks, bootstrap_two_samples, wilson_interval
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest


def test_a_rate_far_above_the_others_keeps_its_place_and_equal_ones_may_change_theirs() -> None:
    trials = np.ones((40, 3))
    successes = np.zeros((40, 3))
    successes[:, 0] = 1
    assert bootstrap_ranks(successes, trials, seed=3) == [(1, 1), (2, 3), (2, 3)]


def test_rates_that_are_alike_change_places() -> None:
    rng = np.random.default_rng(5)
    trials = np.ones((30, 2))
    (first, second) = bootstrap_ranks(rng.binomial(1, 0.5, size=(30, 2)) * 1.0, trials, seed=3)
    assert first == second == (1, 2)


def test_a_rate_of_one_cluster_has_no_interval_and_leaves_the_others_theirs() -> None:
    trials = np.ones((20, 3))
    trials[1:, 2] = 0
    successes = np.zeros((20, 3))
    successes[:, 1] = 1
    found = bootstrap_ranks(successes, trials, seed=3)
    # What it may be is open, so it may be ahead of either.
    assert found[:2] == [(2, 3), (1, 2)] and np.isnan(found[2]).all()
    assert np.isnan(bootstrap_ranks(successes[:1], trials[:1], seed=3)).all()


def test_two_samples_are_resampled_apart() -> None:
    same = [([1.0, 2.0, 3.0, 4.0], [4.0] * 4)]
    low, high = bootstrap_two_samples(same, same, lambda a, n, b, m: a / n - b / m, seed=1)
    assert low < 0 < high
    assert low == pytest.approx(-high, abs=0.1)
    low, high = bootstrap_two_samples(
        same, [([1.0], [2.0])], lambda a, n, b, m: a / n - b / m, seed=1
    )
    assert isnan(low)
    assert isnan(high)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_solves_its_defining_equation(counts: tuple[int, int]) -> None:
    successes, n = counts
    z = 1.959963984540054
    for bound in wilson_interval(successes, n):
        distance = abs(successes / n - bound)
        assert distance == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), abs=1e-9)


def test_wilson_of_nothing_is_not_a_number() -> None:
    assert all(isnan(bound) for bound in wilson_interval(0, 0))


def test_wilson_agrees_with_scipy() -> None:
    for successes, n in [(0, 1), (1, 1), (3, 17), (0, 900), (900, 900), (20_000, 3_000_000)]:
        expected = binomtest(successes, n).proportion_ci(0.9, method="wilson")
        found = wilson_interval(successes, n, confidence=0.9)
        assert found == pytest.approx((expected.low, expected.high), abs=1e-12)
