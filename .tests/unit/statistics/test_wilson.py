"""Wilson's interval against its equation and another implementation."""

import math

import pytest
from hinter.statistics import wilson_interval
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_solves_its_defining_equation(counts: tuple[int, int]) -> None:
    successes, n = counts
    z = 1.959963984540054
    for bound in wilson_interval(successes, n):
        distance = abs(successes / n - bound)
        assert distance == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), abs=1e-9)


def test_wilson_of_nothing_is_not_a_number() -> None:
    assert all(math.isnan(bound) for bound in wilson_interval(0, 0))


def test_wilson_agrees_with_scipy() -> None:
    for successes, n in [(0, 1), (1, 1), (3, 17), (0, 900), (900, 900), (20_000, 3_000_000)]:
        expected = binomtest(successes, n).proportion_ci(0.9, method="wilson")
        found = wilson_interval(successes, n, confidence=0.9)
        assert found == pytest.approx((expected.low, expected.high), abs=1e-12)
