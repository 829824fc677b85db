"""Macro F1 and its difference, against scikit-learn and plain resampling."""

import math
import random

import numpy as np
import pytest
from hinter.statistics import bootstrap_macro_f1_difference, macro_f1
from hinter.statistics.resampling import Sums
from sklearn.metrics import f1_score

LABELS = ("x", "y", "z")
Answers = list[set[str]]


def _drawn(draw: random.Random, expected: Answers, *, right: float) -> Answers:
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
    first, second = (_drawn(draw, expected, right=right) for right in (0.9, 0.6))
    sums = _sums(expected, first), _sums(expected, second)
    for answers, of in zip((first, second), sums, strict=True):
        assert macro_f1(of) == pytest.approx(_by_sklearn(expected, answers))
    # Resamples of this test's own: the ends agree as far as two bootstraps do.
    differences = []
    for _ in range(1000):
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
