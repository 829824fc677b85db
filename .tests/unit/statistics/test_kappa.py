"""Cohen's kappa and its interval, against scikit-learn and by simulation."""

from math import isnan

import numpy as np
import pytest
from hinter.statistics import bootstrap_kappa, cohen_kappa
from sklearn.metrics import cohen_kappa_score


def test_kappa_is_that_of_scikit_learn() -> None:
    tables = np.random.default_rng(3).integers(0, 9, size=(50, 4))
    found = cohen_kappa(*tables.T.astype(float))
    for table, kappa in zip(tables, found, strict=True):
        expected = cohen_kappa_score([1, 1, 0, 0], [1, 0, 1, 0], sample_weight=table)
        assert kappa == pytest.approx(expected)
    assert isnan(cohen_kappa(*np.array([[4.0], [0.0], [0.0], [0.0]]))[0])


def test_the_interval_covers_kappa_about_as_often_as_it_says() -> None:
    # Both say yes to half; they agree on 8 of 10, so kappa is 0.6.
    rng = np.random.default_rng(5)
    covered = 0
    for repetition in range(200):
        cells = rng.multinomial(3, [0.4, 0.1, 0.1, 0.4], size=40)
        low, high = bootstrap_kappa(cells.tolist(), seed=repetition)
        covered += low <= 0.6 <= high
    assert 0.88 <= covered / 200 <= 0.99


def test_agreement_throughout_allows_for_unseen_originals() -> None:
    low, high = bootstrap_kappa([[1, 0, 0, 1]] * 6, seed=1)
    assert high == 1
    assert 0 < low < 1
    assert all(map(isnan, bootstrap_kappa([[1, 0, 0, 1]], seed=1)))
