"""Scores of fine-tuned encoders, by hand."""

import numpy as np
import pytest
from hinter.models.training.task import Scores, measure

pytestmark = pytest.mark.long


def test_no_label_counts_as_a_label_where_texts_may_have_none() -> None:
    logits = np.array([[2.0, -1.0], [-1.0, -2.0], [-3.0, 0.0]])
    targets = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    # One right label found, one wrong one, one missed.
    assert measure(logits, targets, none_counts=False) == Scores(
        3, pytest.approx(2 / 3), pytest.approx(1 / 2), pytest.approx((2 / 3 + 0) / 2)
    )
    assert measure(logits, targets, none_counts=True) == Scores(
        3, pytest.approx(2 / 3), pytest.approx(2 / 3), pytest.approx((2 / 3 + 0 + 1) / 3)
    )


def test_labels_that_nobody_has_do_not_count_where_each_text_has_one() -> None:
    logits = np.array([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    found = measure(logits, np.array([0, 1, 1]), none_counts=False)
    assert found == Scores(3, *(pytest.approx(2 / 3) for _ in range(3)))
