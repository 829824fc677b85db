"""Statistics against other implementations and by simulation."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hinter.statistics import (
    PairedDifference,
    Sums,
    bootstrap_difference,
    bootstrap_rate_ratio,
    bootstrap_rates,
    bootstrap_two_samples,
    cluster_bootstrap,
    mcnemar_exact,
    minimum_detectable_effect,
    paired_difference,
    permutation_p_values,
    q_values,
    sampling_moments,
    sign_flip_test,
    wilson_interval,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, hypergeom, permutation_test


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_solves_its_defining_equation(counts: tuple[int, int]) -> None:
    successes, n = counts
    z = 1.959963984540054
    for bound in wilson_interval(successes, n):
        distance = abs(successes / n - bound)
        assert distance == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), abs=1e-9)


def test_wilson_of_nothing_is_not_a_number() -> None:
    assert all(math.isnan(bound) for bound in wilson_interval(0, 0))


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
        low, high = cluster_bootstrap(
            successes.tolist(), trials.tolist(), seed=repetition, resamples=400
        )
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


def test_a_paired_difference_of_single_pairs_is_the_bootstrap_of_their_mean() -> None:
    differences = np.random.default_rng(3).normal(0.2, 1, size=60)
    found = paired_difference(differences.tolist(), [1] * 60, bounds=(-9, 9), seed=9)
    assert found.mean == pytest.approx(differences.mean())
    for confidence, interval in ((0.95, found.interval), (0.90, found.narrow)):
        expected = bootstrap(
            (differences,),
            np.mean,
            n_resamples=2000,
            batch=100,
            confidence_level=confidence,
            method="percentile",
            rng=np.random.default_rng(9),
        ).confidence_interval
        assert interval == pytest.approx((expected.low, expected.high))


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
            rng.normal(0.5, 1, size=80).tolist(),
            [1] * 80,
            bounds=(-9, 9),
            seed=repetition,
            resamples=400,
        ).equivalent_within(0.5)
        for repetition in range(300)
    ]
    assert sum(map(bool, found)) / 300 <= 0.09


def _arms(seed: int, *, clusters: int = 50) -> tuple[Sums, Sums]:
    """Successes and trials of two rates over the same clusters, some without trials of one."""
    rng = np.random.default_rng(seed)
    rates = rng.beta(2, 6, size=clusters)
    trials = rng.integers(0, 9, size=(2, clusters))
    first, second = ((rng.binomial(tried, rates).tolist(), tried.tolist()) for tried in trials)
    return first, second


def _plain(
    first: Sums, second: Sums, statistic: Callable[[float, float], float], *, seed: int
) -> npt.NDArray[np.float64]:
    """The middle 95 % of the statistic of both rates, cluster by cluster and without vectors."""
    rng, found, clusters = np.random.default_rng(seed), [], len(first[0])
    for _ in range(20):
        for drawn in rng.integers(0, clusters, size=(100, clusters)):
            totals = [sum(column[i] for i in drawn) for column in (*first, *second)]
            found.append(statistic(totals[0] / totals[1], totals[2] / totals[3]))
    return np.percentile(found, [2.5, 97.5])


def test_two_rates_are_compared_on_the_same_resamples() -> None:
    arms = _arms(4)
    difference = bootstrap_difference(*arms, seed=6)
    assert difference == pytest.approx(_plain(*arms, lambda a, b: a - b, seed=6))
    ratio = bootstrap_rate_ratio(*arms, seed=6)
    # The interval is that of the first rate's share of both.
    share = _plain(*arms, lambda a, b: a / (a + b), seed=6)
    assert ratio == pytest.approx(share / (1 - share))


def test_clusters_cancel_out_of_a_difference() -> None:
    rng = np.random.default_rng(5)
    values, lead = rng.normal(0, 100, size=40), rng.random(40)
    first, second = (values + lead).tolist(), values.tolist()
    found = bootstrap_difference((first, [1] * 40), (second, [1] * 40), seed=1)
    assert found == pytest.approx(cluster_bootstrap(lead.tolist(), [1] * 40, seed=1))


def test_the_interval_of_a_rate_ratio_covers_the_truth_about_as_often_as_it_says() -> None:
    covered = 0
    for repetition in range(200):
        low, high = bootstrap_rate_ratio(*_arms(repetition), seed=repetition, resamples=400)
        covered += low <= 1 <= high
    assert 0.88 <= covered / 200 <= 0.99


def test_a_rate_ratio_is_open_above_where_the_second_rate_may_be_zero() -> None:
    low, high = bootstrap_rate_ratio(([3] * 9, [9] * 9), ([1] + [0] * 8, [9] * 9), seed=1)
    assert 1 < low < high == math.inf


NOBODY: Sums = ([0, 0, 0], [3, 4, 5])


@pytest.mark.parametrize("arms", [(NOBODY, NOBODY), (NOBODY, ([1, 2, 1], [3, 4, 5]))])
def test_a_rate_without_success_has_no_ratio(arms: tuple[Sums, Sums]) -> None:
    for first, second in (arms, arms[::-1]):
        assert all(map(math.isnan, bootstrap_rate_ratio(first, second, seed=1)))


def test_resamples_without_a_value_are_left_out() -> None:
    # Only one of three clusters has trials of the second rate.
    first: Sums = ([1, 2, 0], [2, 2, 2])
    second: Sums = ([1, 0, 0], [4, 0, 0])
    drawn = np.random.default_rng(1).integers(0, 3, size=(2000, 3))
    rates = np.array(first[0])[drawn].sum(axis=1) / 6
    expected = np.percentile(rates[(drawn == 0).any(axis=1)], [2.5, 97.5])
    assert bootstrap_difference(first, second, seed=1) == pytest.approx(expected - 0.25)
    assert bootstrap_rate_ratio(first, second, seed=1) == pytest.approx(expected / 0.25)


def test_where_nothing_is_to_be_compared_there_is_no_interval() -> None:
    empty: Sums = ([], [])
    assert all(map(math.isnan, bootstrap_difference(empty, empty, seed=1)))
    found = paired_difference([], [], bounds=(-1, 1), seed=1)
    assert math.isnan(found.mean)
    assert found.equivalent_within(1) is None
    untried: Sums = ([0, 0], [0, 0])
    assert all(map(math.isnan, bootstrap_difference(untried, ([1, 1], [2, 2]), seed=1)))


def test_wilson_agrees_with_scipy() -> None:
    for successes, n in [(0, 1), (1, 1), (3, 17), (0, 900), (900, 900), (20_000, 3_000_000)]:
        expected = binomtest(successes, n).proportion_ci(0.9, method="wilson")
        found = wilson_interval(successes, n, confidence=0.9)
        assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


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
        (first, second),
        lambda x, y: (x - y).sum(),
        permutation_type="samples",
        n_resamples=10_000,
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


def test_sampling_moments_are_those_of_all_ways_to_draw() -> None:
    values = np.array([0.0, 0.5, 2.0, -1.0, 4.0, 4.0])
    centred = values - values.mean()
    for drawn in range(1, 6):
        sums = [sum(chosen) for chosen in combinations(centred, drawn)]
        found = sampling_moments(
            *(np.array([n]) for n in (drawn, 6, (centred**2).sum(), (centred**3).sum()))
        )
        expected = [np.mean(np.power(sums, power)) for power in (2, 3)]
        assert np.ravel(found) == pytest.approx(expected)
    everything = sampling_moments(*(np.array([n]) for n in (1.0, 1.0, 0.0, 0.0)))
    assert np.ravel(everything).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("drawn", "units", "successes"), [(30, 90, 12), (5, 100, 40), (300, 900, 4), (60, 62, 9)]
)
def test_the_permutation_test_in_one_stratum_is_fishers_exact_one(
    drawn: int, units: int, successes: int
) -> None:
    exact = hypergeom(units, successes, drawn)
    rate = successes / units
    squares = units * rate * (1 - rate)
    numbers = (drawn, units, squares, squares * (1 - 2 * rate))
    variance, third = sampling_moments(*(np.array([n], dtype=float) for n in numbers))
    for found in range(max(0, drawn + successes - units), min(drawn, successes) + 1):
        deviation = np.array([found - drawn * rate])
        greater = permutation_p_values(deviation, variance, third, two_sided=False)
        assert greater == pytest.approx(exact.sf(found - 1), abs=0.03)
        two_sided = permutation_p_values(deviation, variance, third)
        tails = 2 * min(exact.sf(found - 1), exact.cdf(found))
        assert two_sided == pytest.approx(min(1, tails), abs=0.06)


def test_nothing_to_permute_has_no_p_value() -> None:
    assert np.isnan(permutation_p_values(*np.zeros((3, 2)))).all()


def test_q_values_are_those_of_benjamini_and_hochberg() -> None:
    p_values = [0.01, math.nan, 0.04, 0.03, 0.5, 0.005]
    # Each p times 5 / its rank, then the smallest of those of its rank or higher ones.
    assert q_values(p_values)[[0, 2, 3, 4, 5]] == pytest.approx([0.025, 0.05, 0.05, 0.5, 0.025])
    assert np.isnan(q_values(p_values)[1])
    assert np.isnan(q_values([math.nan])).all()
    assert q_values([]).size == 0


def test_a_minimum_detectable_effect_is_found_four_times_out_of_five() -> None:
    effect = minimum_detectable_effect(0.7)
    found = np.random.default_rng(1).normal(effect, 0.7, size=20_000) / 0.7
    assert np.mean(np.abs(found) > 1.959964) == pytest.approx(0.8, abs=0.01)


def _agreeing(rate: float, clusters: int) -> Sums:
    """Clusters of 1 to 5 tens of trials that all have this rate."""
    trials = [10 * (number % 5 + 1) for number in range(clusters)]
    return [rate * n for n in trials], trials


@pytest.mark.parametrize("clusters", [2, 7, 130])
def test_clusters_that_all_have_none_are_single_trials(clusters: int) -> None:
    nothing, everything = _agreeing(0, clusters), _agreeing(1, clusters)
    assert cluster_bootstrap(*nothing, seed=1) == wilson_interval(0, clusters)
    assert cluster_bootstrap(*everything, seed=1) == pytest.approx(
        wilson_interval(clusters, clusters)
    )


@given(
    rate=st.sampled_from([0, 0.1, 0.3, 0.5, 0.7, 1]),
    clusters=st.integers(2, 300),
    confidence=st.sampled_from([0.8, 0.9, 0.95]),
)
def test_clusters_that_agree_leave_room_for_those_not_seen(
    rate: float, clusters: int, confidence: float
) -> None:
    arm = _agreeing(rate, clusters)
    low, high = cluster_bootstrap(*arm, seed=1, confidence=confidence, resamples=40)
    assert 0 <= low <= rate <= high <= 1
    assert high - low == pytest.approx(wilson_interval(0, clusters, confidence=confidence)[1])
    numbers = [np.array(column, dtype=float)[:, np.newaxis] for column in arm]
    (many,) = bootstrap_rates(*numbers, seed=1, confidence=confidence, resamples=40)
    assert many == pytest.approx((low, high))


def test_no_bootstrap_is_without_width_where_clusters_agree() -> None:
    arm, other = _agreeing(0.3, 20), _agreeing(0.6, 20)
    unseen = wilson_interval(0, 20)[1]
    # A cluster that was not seen may have any difference from -1 to 1.
    low, high = bootstrap_difference(arm, other, seed=1)
    assert (low, high) == pytest.approx((-0.3 - 0.7 * unseen, -0.3 + 1.3 * unseen))
    low, high = bootstrap_rate_ratio(arm, other, seed=1)
    assert 0 < low < 0.5 < high
    scores = paired_difference([0] * 20, [5] * 20, bounds=(-100, 100), seed=1)
    assert scores.interval == pytest.approx((-100 * unseen, 100 * unseen))
    assert scores.interval[0] < scores.narrow[0] < 0 < scores.narrow[1] < scores.interval[1]
    assert scores.equivalent_within(1) is False
    same = cluster_bootstrap([100 * n for n in arm[1]], arm[1], bounds=(0, 100), seed=1)
    assert same == pytest.approx((100 - 100 * unseen, 100))


def test_a_statistic_of_two_samples_carries_what_was_not_seen_of_either() -> None:
    def quotient(part: Any, whole: Any, other: Any, other_whole: Any) -> Any:
        return (part / whole) / (other / other_whole)

    nothing, half = _agreeing(0, 12), _agreeing(0.5, 30)
    unseen = [wilson_interval(0, clusters)[1] for clusters in (12, 30)]
    found = bootstrap_two_samples([nothing], [half], quotient, seed=1)
    assert found == pytest.approx((0, unseen[0] / (0.5 * (1 - unseen[1]))))
    # What varies in one sample is resampled, and carries what was not seen of the other.
    differing: Sums = ([1, 9] * 15, [10] * 30)
    low, high = bootstrap_two_samples([nothing], [differing], quotient, seed=1)
    assert (low, high) == (0, pytest.approx(unseen[0] / 0.36, rel=0.1))


def _sums_of_a_rare_bias(seed: int, *, clusters: int) -> tuple[Sums, float]:
    """Rates of which most clusters have none, and what the rate is over all clusters."""
    rng = np.random.default_rng(seed)
    rates = np.where(rng.random(clusters) < 0.05, rng.beta(2, 2, size=clusters), 0)
    trials = rng.integers(1, 12, size=clusters)
    return (rng.binomial(trials, rates).tolist(), trials.tolist()), 0.05 * 0.5


def test_a_rare_bias_is_covered_where_no_cluster_shows_it() -> None:
    covered, silent = 0, 0
    for repetition in range(300):
        sums, truth = _sums_of_a_rare_bias(repetition, clusters=30)
        low, high = cluster_bootstrap(*sums, seed=repetition, resamples=200)
        silent += not sum(sums[0])
        covered += low <= truth <= high or bool(sum(sums[0]))
    assert silent > 60
    assert covered == 300


@given(st.integers(0, 10**6))
def test_intervals_are_those_of_the_percentiles_where_clusters_differ(seed: int) -> None:
    first, second = _arms(seed, clusters=8)
    for arm in (first, second):
        ratios = {part / whole for part, whole in zip(*arm, strict=True) if whole}
        assume(len(ratios) > 1)
    rng = np.random.default_rng(seed)
    counts = np.stack([np.bincount(drawn, minlength=8) for drawn in rng.integers(0, 8, (20, 8))])
    with np.errstate(invalid="ignore"):
        rates = (counts @ np.array(first[0])) / (counts @ np.array(first[1]))
    expected = np.nanpercentile(rates, [2.5, 97.5])
    assert cluster_bootstrap(*first, seed=seed, resamples=20) == pytest.approx(expected)
