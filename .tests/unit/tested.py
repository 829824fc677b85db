"""Means of a table that are tested by original."""

import numpy as np
import pandas as pd
import pytest
from hinter.statistics import sign_flip_test
from result_files import Row


def assert_tested(row: Row, name: str, scored: pd.DataFrame, *, seed: int) -> None:
    """Assert that a row has the interval and p-value of these values by original."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    sums = (100 * scored["value"]).round().groupby(scored["original_id"]).sum()
    if len(sums) < 2:
        assert np.isnan([low, high, row["p_value"]]).all()
        return
    assert low <= row[name] <= high
    assert low < high
    # The same p-value, from other random numbers.
    expected = sign_flip_test(sums.tolist(), seed=seed + 1)
    assert row["p_value"] == pytest.approx(expected, abs=0.03)
