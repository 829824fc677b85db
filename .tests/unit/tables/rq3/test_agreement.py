"""Agreement of two readers."""

from math import isnan

import pytest
from hinter.tables.rq3.agreement import agreement_of, count_agreement


def test_agreement_beyond_chance() -> None:
    agreement = agreement_of([True] * 6 + [False] * 4, [True] * 5 + [False] * 4 + [True])
    # 5 and 3 of 10; by chance 0.6 * 0.6 + 0.4 * 0.4.
    assert agreement.share == 0.8
    assert agreement.kappa == pytest.approx((0.8 - 0.52) / (1 - 0.52))
    assert agreement == count_agreement([5, 1, 1, 3])
    assert isnan(agreement_of([True], [True]).kappa)
