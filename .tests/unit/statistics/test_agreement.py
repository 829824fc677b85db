"""Kappa and macro F1, against scikit-learn, plain resampling and by simulation."""

import math
import random
from math import isnan

import numpy as np
import pytest
from hinter.statistics import (
    agreement_of,
    bootstrap_macro_f1_difference,
    cohen_kappa,
    count_agreement,
    kappa_interval,
    macro_f1,
)
from hinter.statistics.agreement import CELLS
from hinter.statistics.resampling import Interval, Sums
from sklearn.metrics import cohen_kappa_score, f1_score


def _interval(clusters: list[list[int]], *, seed: int) -> Interval:
    """Return the interval of kappa, given the number of cases in each of `CELLS` by cluster."""
    cases = [
        (str(number), *cell)
        for number, counts in enumerate(clusters)
        for cell, times in zip(CELLS, counts, strict=True)
        for _ in range(times)
    ]
    names, first, second = zip(*cases, strict=True)
    return kappa_interval(first, second, clusters=names, seed=seed)


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
        low, high = _interval(cells.tolist(), seed=repetition)
        covered += low <= 0.6 <= high
    assert 0.88 <= covered / 200 <= 0.99


def test_agreement_throughout_allows_for_unseen_originals() -> None:
    low, high = _interval([[1, 0, 0, 1]] * 6, seed=1)
    assert high == 1
    assert 0 < low < 1
    assert all(map(isnan, _interval([[1, 0, 0, 1]], seed=1)))


LABELS = ("x", "y", "z")
Answers = list[set[str]]


def _sampled(draw: random.Random, expected: Answers, *, right: float) -> Answers:
    return [
        labels if draw.random() < right else {draw.choice(LABELS)} - {draw.choice(LABELS)}
        for labels in expected
    ]


def _sums(expected: Answers, found: Answers) -> list[Sums]:
    pairs = list(zip(expected, found, strict=True))
    return [
        (
            [2 * (label in one and label in other) for one, other in pairs],
            [(label in one) + (label in other) for one, other in pairs],
        )
        for label in LABELS
    ]


def _by_sklearn(expected: Answers, found: Answers) -> float:
    table, answers = (
        np.array([[label in labels for label in LABELS] for labels in rows])
        for rows in (expected, found)
    )
    occurring = np.flatnonzero((table | answers).any(axis=0)).tolist()
    score = f1_score(table, answers, labels=occurring, average="macro", zero_division=0)
    return float(score)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.release) for seed in (1, 2))]
)
def test_macro_f1_and_its_difference_are_those_of_plain_resampling(seed: int) -> None:
    draw = random.Random(seed)
    expected: Answers = [set(draw.sample(LABELS, draw.choice([0, 1, 1, 2]))) for _ in range(60)]
    first, second = (_sampled(draw, expected, right=right) for right in (0.9, 0.6))
    sums = _sums(expected, first), _sums(expected, second)
    for answers, of in zip((first, second), sums, strict=True):
        assert macro_f1(of) == pytest.approx(_by_sklearn(expected, answers))
    # Resamples of this test's own: the ends agree as far as two bootstraps do.
    differences = []
    for _ in range(500):
        kept = draw.choices(range(60), k=60)
        differences.append(
            _by_sklearn([expected[i] for i in kept], [first[i] for i in kept])
            - _by_sklearn([expected[i] for i in kept], [second[i] for i in kept])
        )
    interval = bootstrap_macro_f1_difference(*sums, seed=1)
    assert interval == pytest.approx(np.percentile(differences, [2.5, 97.5]), abs=0.03)


def test_models_that_agree_on_all_texts_may_differ_on_others() -> None:
    sums: list[Sums] = [([2] * 9, [2] * 9), ([2] * 9, [2] * 9)]
    low, high = bootstrap_macro_f1_difference(sums, sums, seed=1)
    assert -1 < low < 0 < high < 1


def test_without_labels_there_is_no_macro_f1() -> None:
    assert math.isnan(macro_f1([]))


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
