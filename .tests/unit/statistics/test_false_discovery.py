"""q-values, by hand."""

import math

import numpy as np
import pytest
from hinter.statistics import q_values


def test_q_values_are_those_of_benjamini_and_hochberg() -> None:
    p_values = [0.01, math.nan, 0.04, 0.03, 0.5, 0.005]
    # Each p times 5 / its rank, then the smallest of those of its rank or higher ones.
    assert q_values(p_values)[[0, 2, 3, 4, 5]] == pytest.approx([0.025, 0.05, 0.05, 0.5, 0.025])
    assert np.isnan(q_values(p_values)[1])
    assert np.isnan(q_values([math.nan])).all()
    assert q_values([]).size == 0
