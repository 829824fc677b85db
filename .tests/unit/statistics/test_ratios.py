"""Cluster bootstraps of ratios, by simulation and against other implementations."""

import math

import numpy as np
import pytest
from clusters import two_arms
from hinter.statistics import (
    PairedDifference,
    Sums,
    bootstrap_difference,
    bootstrap_rate_ratio,
    cluster_bootstrap,
    paired_difference,
)
from scipy.stats import sem, t


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


def test_clusters_cancel_out_of_a_difference() -> None:
    rng = np.random.default_rng(5)
    values, lead = rng.normal(0, 100, size=40), rng.random(40)
    first, second = (values + lead).tolist(), values.tolist()
    found = bootstrap_difference((first, [1] * 40), (second, [1] * 40), seed=1)
    alone = cluster_bootstrap(lead.tolist(), [1] * 40, bounds=(-1, 1), seed=1)
    assert found == pytest.approx(alone, abs=0.03)


def test_the_interval_of_a_rate_ratio_covers_the_truth_about_as_often_as_it_says() -> None:
    covered = 0
    for repetition in range(200):
        low, high = bootstrap_rate_ratio(*two_arms(repetition), seed=repetition)
        covered += low <= 1 <= high
    assert 0.88 <= covered / 200 <= 0.99


def test_a_rate_ratio_is_very_high_at_most_where_the_second_rate_may_be_near_zero() -> None:
    low, high = bootstrap_rate_ratio(([3] * 9, [9] * 9), ([1] + [0] * 8, [9] * 9), seed=1)
    assert 1 < low < 27 < 100 < high < math.inf


NOBODY: Sums = ([0, 0, 0], [3, 4, 5])


@pytest.mark.parametrize("arms", [(NOBODY, NOBODY), (NOBODY, ([1, 2, 1], [3, 4, 5]))])
def test_a_rate_without_success_has_no_ratio(arms: tuple[Sums, Sums]) -> None:
    for first, second in (arms, arms[::-1]):
        assert all(map(math.isnan, bootstrap_rate_ratio(first, second, seed=1)))


def test_a_paired_difference_of_single_pairs_has_about_the_interval_of_their_mean() -> None:
    differences = np.random.default_rng(3).normal(0.2, 1, size=60)
    found = paired_difference(differences.tolist(), [1] * 60, bounds=(-9, 9), seed=9)
    assert found.mean == pytest.approx(differences.mean())
    for confidence, interval in ((0.95, found.interval), (0.90, found.narrow)):
        # The interval of Student's t: of a mean of this many values, both are much alike.
        error = t.interval(confidence, 59, differences.mean(), sem(differences))
        assert interval == pytest.approx(error, abs=0.04)


@pytest.mark.parametrize(
    ("narrow", "expected"),
    [
        ((-0.4, 0.3), True),
        ((-0.5, 0.3), False),
        ((-0.4, 0.6), False),
        ((0.6, 0.7), False),
        ((math.nan, math.nan), None),
    ],
)
def test_a_difference_is_equivalent_where_its_narrow_interval_lies_inside_the_margin(
    narrow: tuple[float, float], expected: bool | None
) -> None:
    assert PairedDifference(0, (-9, 9), narrow).equivalent_within(0.5) is expected


def test_a_difference_at_the_margin_is_seldom_called_equivalent() -> None:
    rng = np.random.default_rng(11)
    found = [
        paired_difference(
            rng.normal(0.5, 1, size=80).tolist(), [1] * 80, bounds=(-9, 9), seed=repetition
        ).equivalent_within(0.5)
        for repetition in range(300)
    ]
    assert sum(map(bool, found)) / 300 <= 0.09
