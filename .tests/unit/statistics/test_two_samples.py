"""Statistics of two samples."""

from math import isnan

import pytest
from hinter.statistics import bootstrap_two_samples


def test_two_samples_are_resampled_apart() -> None:
    same = [([1.0, 2.0, 3.0, 4.0], [4.0] * 4)]
    low, high = bootstrap_two_samples(same, same, lambda a, n, b, m: a / n - b / m, seed=1)
    assert low < 0 < high
    assert low == pytest.approx(-high, abs=0.1)
    low, high = bootstrap_two_samples(
        same, [([1.0], [2.0])], lambda a, n, b, m: a / n - b / m, seed=1
    )
    assert isnan(low)
    assert isnan(high)
