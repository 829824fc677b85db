"""McNemar's exact test against plain counting."""

import math
from fractions import Fraction

import pytest
from hinter.statistics import mcnemar_exact


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 5), (4, 9), (9, 4), (7, 7), (30, 12)])
def test_mcnemar_counts_the_ways_in_which_discordant_trials_fall(first: int, second: int) -> None:
    n = first + second
    extreme = [k for k in range(n + 1) if abs(k - n / 2) >= abs(first - n / 2)]
    expected = Fraction(sum(math.comb(n, k) for k in extreme), 2**n)
    assert mcnemar_exact(first, second) == pytest.approx(float(expected))
