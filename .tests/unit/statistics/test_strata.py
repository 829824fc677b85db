"""Permutation within strata against all arrangements, Fisher's exact test and plain drawing."""

from itertools import combinations, product
from math import isnan

import numpy as np
import pytest
from hinter.statistics import Stratum, permutation_test
from hinter.statistics.strata import MANY
from scipy.stats import hypergeom


def _stratum(*values: float, sampled: int) -> Stratum:
    return Stratum(np.array(values), sampled)


def test_of_two_strata_of_two_pairs_the_least_p_value_is_a_half() -> None:
    strata = [_stratum(-0.5, 0.5, sampled=1)] * 2
    assert permutation_test(strata, 1, seed=1) == 0.5
    assert permutation_test(strata, 1, seed=1, two_sided=False) == 0.25
    assert permutation_test(strata, 0, seed=1) == 1


def test_few_arrangements_are_all_looked_at() -> None:
    strata = [
        _stratum(0, 0.5, 2, -1, sampled=2),
        _stratum(1, 3, 4, sampled=1),
        _stratum(7, 7, sampled=1),
        _stratum(1, 2, sampled=2),
    ]
    sums = np.array(
        [
            sum(first) + sum(second)
            for first, second in product(
                combinations([0, 0.5, 2, -1], 2), combinations([1, 3, 4], 1)
            )
        ]
    )
    deviations = sums - sums.mean()
    for found in deviations.tolist():
        expected = np.mean(np.abs(deviations) >= abs(found) - 1e-9)
        assert permutation_test(strata, found, seed=1) == pytest.approx(expected)
        wider = np.mean(np.abs(2 * deviations) >= abs(found) - 1e-9)
        assert permutation_test(strata, found, seed=1, spread=2) == pytest.approx(wider)


@pytest.mark.parametrize(
    ("sampled", "units", "successes"), [(30, 90, 12), (5, 100, 40), (300, 900, 4), (3, 9, 4)]
)
def test_the_permutation_test_in_one_stratum_is_fishers_exact_one(
    sampled: int, units: int, successes: int
) -> None:
    exact = hypergeom(units, successes, sampled)
    stratum = _stratum(*[1.0] * successes, *[0.0] * (units - successes), sampled=sampled)
    for found in range(min(sampled, successes) + 1):
        deviation = found - sampled * successes / units
        greater = permutation_test([stratum], deviation, seed=1, two_sided=False)
        assert greater == pytest.approx(exact.sf(found - 1), abs=0.02)


@pytest.mark.parametrize("deviation", [3.0, 25.0, -40.0])
def test_of_many_strata_the_sum_is_normal(deviation: float) -> None:
    rng = np.random.default_rng(1)
    strata = [Stratum(rng.exponential(1, 5), 2) for _ in range(MANY)]
    sampled, wider = (permutation_test(strata, deviation, seed=1, spread=s) for s in (1, 1.5))
    one = permutation_test(strata, deviation, seed=1, two_sided=False)
    strata.append(_stratum(0, 1e-6, sampled=1))
    assert permutation_test(strata, deviation, seed=1) == pytest.approx(sampled, abs=0.015)
    known = permutation_test(strata, deviation, seed=1, spread=1.5)
    assert known == pytest.approx(wider, abs=0.015)
    known = permutation_test(strata, deviation, seed=1, two_sided=False)
    assert known == pytest.approx(one, abs=0.015)


def test_many_arrangements_of_unlike_values_are_drawn() -> None:
    rng = np.random.default_rng(2)
    strata = [Stratum(rng.normal(size=30), sampled) for sampled in (1, 7, 12)]
    sums = np.array(
        [
            sum(rng.permutation(values)[:sampled].sum() for values, sampled in strata)
            for _ in range(4000)
        ]
    )
    expected = sum(sampled * values.mean() for values, sampled in strata)
    for deviation in (0.5, 3.0, 6.0):
        plain = np.mean(np.abs(sums - expected) >= deviation)
        assert permutation_test(strata, deviation, seed=4) == pytest.approx(plain, abs=0.04)
    assert permutation_test(strata, 1e6, seed=4) == 1e-4


def test_nothing_to_permute_has_no_p_value() -> None:
    assert isnan(permutation_test([], 0, seed=1))
    assert isnan(permutation_test([_stratum(2, 2, sampled=1), _stratum(1, sampled=1)], 0, seed=1))
