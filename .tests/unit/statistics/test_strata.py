"""Permutation within strata against plain counting and Fisher's exact test."""

from itertools import combinations

import numpy as np
import pytest
from hinter.statistics import permutation_p_values, sampling_moments
from scipy.stats import hypergeom


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
