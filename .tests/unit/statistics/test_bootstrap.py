"""The bootstrap of a rate by clusters, by simulation."""

import math

import numpy as np
import pytest
from hinter.statistics import cluster_bootstrap


def test_the_cluster_bootstrap_is_wider_where_mutants_go_together() -> None:
    rng = np.random.default_rng(1)
    biased_originals = rng.random(60) < 0.3
    together = (biased_originals * 10).tolist()
    apart = rng.binomial(10, 0.3, size=60).tolist()
    trials = [10] * 60
    low, high = cluster_bootstrap(together, trials, seed=1)
    narrow_low, narrow_high = cluster_bootstrap(apart, trials, seed=1)
    assert high - low > 2 * (narrow_high - narrow_low)


def test_the_cluster_bootstrap_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for repetition in range(200):
        rates = rng.beta(2, 6, size=80)
        trials = rng.integers(1, 12, size=80)
        successes = rng.binomial(trials, rates)
        low, high = cluster_bootstrap(successes.tolist(), trials.tolist(), seed=repetition)
        covered += low <= 0.25 <= high
    assert 0.88 <= covered / 200 <= 0.99


def test_the_cluster_bootstrap_repeats_with_its_seed() -> None:
    counts = [number % 7 for number in range(50)], [9] * 50
    assert cluster_bootstrap(*counts, seed=5) == cluster_bootstrap(*counts, seed=5)
    assert cluster_bootstrap(*counts, seed=5) != cluster_bootstrap(*counts, seed=6)


def test_one_cluster_has_no_interval() -> None:
    assert all(math.isnan(bound) for bound in cluster_bootstrap([1], [2], seed=1))


def test_the_cluster_bootstrap_of_weighted_means_takes_fractions() -> None:
    rng = np.random.default_rng(2)
    values, weights = rng.random(40), rng.random(40) + 1
    low, high = cluster_bootstrap((values * weights).tolist(), weights.tolist(), seed=1)
    assert low < (values * weights).sum() / weights.sum() < high
    assert (low, high) == pytest.approx(
        cluster_bootstrap((7 * values * weights).tolist(), (7 * weights).tolist(), seed=1)
    )
