"""Paired differences against another implementation and by simulation."""

import math

import numpy as np
import pytest
from hinter.statistics import PairedDifference, paired_difference
from scipy.stats import sem, t


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
            rng.normal(0.5, 1, size=80).tolist(),
            [1] * 80,
            bounds=(-9, 9),
            seed=repetition,
        ).equivalent_within(0.5)
        for repetition in range(300)
    ]
    assert sum(map(bool, found)) / 300 <= 0.09
