"""Agreement of two readers."""

from math import isnan

import pytest
from hinter.tables.rq3.agreement import agreement_of, count_agreement, kappa_interval


def test_agreement_beyond_chance() -> None:
    agreement = agreement_of([True] * 6 + [False] * 4, [True] * 5 + [False] * 4 + [True])
    # 5 and 3 of 10; by chance 0.6 * 0.6 + 0.4 * 0.4.
    assert agreement.share == 0.8
    assert agreement.kappa == pytest.approx((0.8 - 0.52) / (1 - 0.52))
    assert agreement == count_agreement([5, 1, 1, 3])
    assert isnan(agreement_of([True], [True]).kappa)


def test_the_interval_of_kappa_resamples_originals() -> None:
    first = [True, True, False, False, True, False]
    second = [True, False, False, False, True, True]
    together = kappa_interval(first, second, clusters=[*"aabbcc"], seed=1)
    assert together == kappa_interval(first, second, clusters=[*"aabbcc"], seed=1)
    low, high = together
    assert low < agreement_of(first, second).kappa < high
    assert all(map(isnan, kappa_interval(first, second, clusters=["a"] * 6, seed=1)))
    assert all(map(isnan, kappa_interval([True] * 2, [True] * 2, clusters=[*"ab"], seed=1)))
