"""Bootstraps of several rates: their ranks, and statistics of two samples."""

from math import isnan

import numpy as np
import pytest
from hinter.statistics import bootstrap_ranks, bootstrap_two_samples


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
