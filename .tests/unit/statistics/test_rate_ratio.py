"""Ratios of two rates of the same clusters."""

import math

import pytest
from clusters import two_arms
from hinter.statistics import Sums, bootstrap_rate_ratio


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
