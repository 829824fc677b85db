"""Many rates at once."""

import numpy as np
import pytest
from hinter.statistics import bootstrap_rates, cluster_bootstrap


def test_many_rates_are_resampled_like_each_by_itself() -> None:
    rng = np.random.default_rng(1)
    trials = rng.integers(1, 9, size=(40, 3)).astype(float)
    successes = rng.binomial(trials.astype(int), 0.3).astype(float)
    for found, parts, wholes in zip(
        bootstrap_rates(successes, trials, seed=3), successes.T, trials.T, strict=True
    ):
        assert found == pytest.approx(cluster_bootstrap(parts.tolist(), wholes.tolist(), seed=3))
    once = np.zeros((40, 1))
    once[0] = 1
    assert np.isnan(bootstrap_rates(once, once, seed=3)).all()
    assert np.isnan(bootstrap_rates(once[:0], once[:0], seed=3)).all()


def test_means_are_resampled_like_rates_inside_their_bounds() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0.3, 1, size=(30, 2))
    values[:, 1] = 0.5
    found = bootstrap_rates(values, np.ones_like(values), seed=3, bounds=(-4, 4))
    for interval, column in zip(found, values.T, strict=True):
        alone = cluster_bootstrap(column.tolist(), [1] * 30, seed=3, bounds=(-4, 4))
        assert interval == pytest.approx(alone)
    # All clusters agree: the others may be as far away as the bounds allow.
    assert found[1][0] < 0.5 - 0.3 and found[1][1] > 0.5 + 0.3
