"""What all bootstraps share: weights of clusters, half clusters at the ends, and percentiles."""

import math
import random
from collections.abc import Callable
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from clusters import coverage, two_arms
from hinter.statistics import (
    Sums,
    bootstrap_difference,
    bootstrap_rate_ratio,
    cluster_bootstrap,
    likely_bounds,
    paired_difference,
)
from hinter.statistics.resampling import middle
from hypothesis import given
from hypothesis import strategies as st
from interval_coverage import by_bootstrap, missed
from scipy.stats import beta, binomtest


def _plain(
    first: Sums, second: Sums, statistic: Callable[[float, float], float]
) -> npt.NDArray[np.float64]:
    """The middle 95 % of the statistic of both rates, cluster by cluster and without vectors."""
    draw, found = random.Random(4), []
    sizes = [sum(wholes) / sum(whole > 0 for whole in wholes) for _, wholes in (first, second)]
    clusters = [*zip(*first, *second, strict=True)]
    ends = [(sizes[0], sizes[0], 0, sizes[1]), (0, sizes[0], sizes[1], sizes[1])]
    for _ in range(4000):
        weights = [draw.expovariate(1) for _ in clusters] + [
            draw.gammavariate(0.5, 1) for _ in ends
        ]
        totals = [
            sum(map(math.prod, zip(weights, column, strict=True)))
            for column in zip(*clusters, *ends, strict=True)
        ]
        found.append(statistic(totals[0] / totals[1], totals[2] / totals[3]))
    return np.percentile(found, [2.5, 97.5])


def test_two_rates_are_compared_on_the_same_resamples() -> None:
    arms = two_arms(4)
    difference = bootstrap_difference(*arms, seed=6)
    # Resamples of this test's own: the ends agree as far as two bootstraps do.
    assert difference == pytest.approx(_plain(*arms, lambda a, b: a - b), abs=0.01)
    low, high = bootstrap_rate_ratio(*arms, seed=6)
    # The interval is that of the first rate's share of both.
    share = _plain(*arms, lambda a, b: a / (a + b))
    assert (low / (1 + low), high / (1 + high)) == pytest.approx(share, abs=0.01)


@given(st.integers(4, 60), st.data(), st.sampled_from([0.8, 0.95]))
def test_rates_of_single_trials_have_the_interval_of_jeffreys(
    n: int, data: st.DataObject, confidence: float
) -> None:
    successes = data.draw(st.integers(0, n))
    found = cluster_bootstrap(
        [1] * successes + [0] * (n - successes), [1] * n, seed=3, confidence=confidence
    )
    tail = (1 - confidence) / 2
    if 0 < successes < n:
        expected = beta.ppf([tail, 1 - tail], successes + 0.5, n - successes + 0.5)
    else:
        exact = binomtest(successes, n).proportion_ci(confidence, method="exact")
        expected = [exact.low, exact.high]
        assert successes / n in found
    # Four standard errors of the end of an interval of four clusters, and its rounding.
    assert found == pytest.approx(expected, abs=0.06)


@given(st.integers(0, 10**6), st.integers(0, 500))
def test_clusters_without_trials_and_their_order_change_nothing(seed: int, more: int) -> None:
    (successes, trials), _ = two_arms(seed, clusters=12)
    order = random.Random(seed).sample(range(12 + more), 12 + more)
    padded = [[*column, *[0] * more] for column in (successes, trials)]
    shuffled = [[column[place] for place in order] for column in padded]
    alone = cluster_bootstrap(successes, trials, seed=seed)
    among = cluster_bootstrap(*shuffled, seed=seed)
    assert alone == among or all(map(math.isnan, alone + among))


def test_one_more_success_never_makes_an_excess_less_sure_or_its_end_an_artefact() -> None:
    ends = [
        cluster_bootstrap([1] * more + [0] * (19 - more), [1] * 19, bounds=(-1, 1), seed=1)
        for more in range(8)
    ]
    lows, highs = zip(*ends, strict=True)
    assert list(lows) == sorted(set(lows))
    assert list(highs) == sorted(set(highs))
    assert lows[3] < 0 < lows[7]


def test_where_nothing_is_to_be_compared_there_is_no_interval() -> None:
    empty: Sums = ([], [])
    assert all(map(math.isnan, bootstrap_difference(empty, empty, seed=1)))
    found = paired_difference([], [], bounds=(-1, 1), seed=1)
    assert math.isnan(found.mean)
    assert found.equivalent_within(1) is None
    untried: Sums = ([0, 0], [0, 0])
    assert all(map(math.isnan, bootstrap_difference(untried, ([1, 1], [2, 2]), seed=1)))


def test_ends_are_as_fine_as_other_resamples_would_repeat_them() -> None:
    counts = [4] * 3 + [1] * 9 + [0] * 50, [9] * 62
    ends = np.array([cluster_bootstrap(*counts, seed=seed) for seed in range(30)])
    assert np.allclose(ends, ends.round(4), rtol=0, atol=1e-9)
    assert (ends.std(axis=0) > 0.0001).all()
    values = np.repeat([0.123456, 0.654321], 500)
    assert middle(values, confidence=0.95) == (0.123456, 0.654321)


def test_unseen_clusters_are_about_as_far_away_as_the_seen_ones() -> None:
    values = [3.0, 4.0, 5.0, 4.0]
    low, high = likely_bounds(values, [1] * 4, bounds=(-100, 100))
    assert (low, high) == pytest.approx((4 - 3 * math.sqrt(2 / 3), 4 + 3 * math.sqrt(2 / 3)))
    assert likely_bounds(values, [1] * 4, bounds=(0, 5)) == (pytest.approx(low), 5)
    assert likely_bounds([2.0, 4.0], [1, 2], bounds=(-100, 100)) == (-100, 100)


@pytest.mark.release
@pytest.mark.parametrize("clusters", [3, 10, 30, 100, 300])
@pytest.mark.parametrize("rate", [0.0, 0.01, 0.03, 0.05, 0.1])
def test_intervals_of_rates_cover_them_about_as_often_as_they_say(
    clusters: int, rate: float
) -> None:
    found = [
        coverage(clusters=clusters, rate=rate, correlation=correlation, repetitions=400)
        for correlation in (0.05, 0.3)
    ]
    # Jeffreys' interval of so few trials covers a rate in 89 % of samples at the least.
    assert min(found) >= 0.88
    assert np.mean(found) >= 0.915


@pytest.mark.release
@pytest.mark.parametrize("originals", [3, 10, 30, 100, 300])
def test_intervals_of_an_excess_cover_it_about_as_often_as_they_say(originals: int) -> None:
    rates = product((0.0, 0.02, 0.1), (0.02, 0.1))
    found = [100 - missed(by_bootstrap, originals, *each, times=300)[:2].sum() for each in rates]
    # Of 95 %, so few studies show less than 90 once in ten thousand times.
    assert min(found) >= 90
    assert np.mean(found) >= 93
