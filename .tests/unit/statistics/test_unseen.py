"""The room that intervals leave for clusters that were not seen."""

from typing import Any

import numpy as np
import pytest
from hinter.statistics import (
    Sums,
    bootstrap_difference,
    bootstrap_rate_ratio,
    bootstrap_rates,
    bootstrap_two_samples,
    cluster_bootstrap,
    paired_difference,
    wilson_interval,
)
from hypothesis import given
from hypothesis import strategies as st


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
