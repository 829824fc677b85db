"""How well each model does its task: accuracy and macro F1 on held-out texts."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import pandas as pd
from sklearn.metrics import accuracy_score, f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from ..statistics import wilson_interval
from .sources import Results, open_results
from .writing import percent, percent_intervals

NO_LABEL = "(no answer)"
"""What an answer that was refused or not understood counts as: a label that is never right."""

# A text without labels in a labelled dataset is one to which none applies.
HELD_OUT = f"""
    SELECT p.model, p.dataset, c.labels AS expected,
        CASE p.status WHEN 'ok' THEN p.outcome WHEN 'none' THEN [] ELSE ['{NO_LABEL}'] END AS found
    FROM corpora AS c JOIN predictions AS p ON p.input_id = c.original_id AND p.dataset = c.dataset
    WHERE c.split = 'held_out'
        AND c.dataset IN (SELECT dataset FROM corpora WHERE len(labels) > 0)
    ORDER BY p.model, p.dataset, c.original_id
"""


def tabulate_accuracy(predictions: Results, *, corpora: Mapping[str, Path]) -> pd.DataFrame:
    """Return a row per model and dataset with labelled held-out texts.

    Columns: model, dataset, n, accuracy (share of texts whose labels are all and only the right
    ones), accuracy_low, accuracy_high (Wilson), micro_f1 and macro_f1 over the labels that occur.
    """
    held_out = held_out_answers(predictions, corpora=corpora)
    rows = [
        {"model": model, "dataset": dataset, **_scores(group)}
        for (model, dataset), group in held_out.groupby(["model", "dataset"])
    ]
    return pd.DataFrame(rows, columns=["model", "dataset", *_SCORES])


def held_out_answers(predictions: Results, *, corpora: Mapping[str, Path]) -> pd.DataFrame:
    """Return the `expected` and the `found` labels of each model on each labelled held-out text."""
    parts = [("", dataset, path) for dataset, path in corpora.items()]
    connection = open_results(predictions=predictions, corpora=parts)
    answers: pd.DataFrame = connection.execute(HELD_OUT).df()
    return answers


def show_accuracy(accuracy: pd.DataFrame) -> pd.DataFrame:
    """Return the accuracy as it is read: percentages with 95 % Wilson intervals."""
    return pd.DataFrame(
        {
            "model": accuracy["model"],
            "dataset": accuracy["dataset"],
            "texts": accuracy["n"],
            "accuracy %": accuracy["accuracy"].map(percent),
            "Wilson": percent_intervals(accuracy, "accuracy"),
            "micro F1 %": accuracy["micro_f1"].map(percent),
            "macro F1 %": accuracy["macro_f1"].map(percent),
        }
    )


_SCORES = ("n", "accuracy", "accuracy_low", "accuracy_high", "micro_f1", "macro_f1")


def _scores(group: pd.DataFrame) -> dict[str, float]:
    labels = sorted({*chain(*group["expected"], *group["found"])} - {NO_LABEL})
    # One column alone would be taken for two classes.
    binarizer = MultiLabelBinarizer(classes=[*labels, NO_LABEL, ""]).fit([])
    expected, found = map(binarizer.transform, (group["expected"], group["found"]))
    accuracy = accuracy_score(expected, found)
    low, high = wilson_interval(round(accuracy * len(group)), len(group))
    columns = list(range(len(labels)))
    scores = [
        f1_score(expected, found, labels=columns, average=average, zero_division=0)
        for average in ("micro", "macro")
    ]
    numbers = [accuracy, low, high, *scores]
    return dict(zip(_SCORES, [len(group), *(round(n, 6) for n in numbers)], strict=True))
