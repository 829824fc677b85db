"""Differences of two rates of the same clusters."""

import numpy as np
import pytest
from hinter.statistics import bootstrap_difference, cluster_bootstrap


def test_clusters_cancel_out_of_a_difference() -> None:
    rng = np.random.default_rng(5)
    values, lead = rng.normal(0, 100, size=40), rng.random(40)
    first, second = (values + lead).tolist(), values.tolist()
    found = bootstrap_difference((first, [1] * 40), (second, [1] * 40), seed=1)
    alone = cluster_bootstrap(lead.tolist(), [1] * 40, bounds=(-1, 1), seed=1)
    assert found == pytest.approx(alone, abs=0.03)
