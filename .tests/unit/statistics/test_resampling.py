"""What all bootstraps share: their resamples, and the percentiles of these."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from clusters import two_arms
from hinter.statistics import (
    Sums,
    bootstrap_difference,
    bootstrap_rate_ratio,
    cluster_bootstrap,
    paired_difference,
)
from hypothesis import assume, given
from hypothesis import strategies as st


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
    arms = two_arms(4)
    difference = bootstrap_difference(*arms, seed=6)
    assert difference == pytest.approx(_plain(*arms, lambda a, b: a - b, seed=6))
    ratio = bootstrap_rate_ratio(*arms, seed=6)
    # The interval is that of the first rate's share of both.
    share = _plain(*arms, lambda a, b: a / (a + b), seed=6)
    assert ratio == pytest.approx(share / (1 - share))


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


@given(st.integers(0, 10**6))
def test_intervals_are_those_of_the_percentiles_where_clusters_differ(seed: int) -> None:
    first, second = two_arms(seed, clusters=8)
    for arm in (first, second):
        ratios = {part / whole for part, whole in zip(*arm, strict=True) if whole}
        assume(len(ratios) > 1)
    rng = np.random.default_rng(seed)
    counts = np.stack([np.bincount(drawn, minlength=8) for drawn in rng.integers(0, 8, (20, 8))])
    with np.errstate(invalid="ignore"):
        rates = (counts @ np.array(first[0])) / (counts @ np.array(first[1]))
    expected = np.nanpercentile(rates, [2.5, 97.5])
    assert cluster_bootstrap(*first, seed=seed, resamples=20) == pytest.approx(expected)
