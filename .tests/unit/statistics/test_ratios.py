"""Cluster bootstraps of ratios, by simulation and against other implementations."""

import math
from math import isnan

import numpy as np
import pytest
from clusters import two_arms
from hinter.statistics import (
    PairedDifference,
    Sums,
    bootstrap_difference,
    bootstrap_ranks,
    bootstrap_rate_ratio,
    bootstrap_two_samples,
    cluster_bootstrap,
    paired_difference,
    wilson_interval,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, sem, t


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
