"""How well each model does its task: accuracy and macro F1 on held-out texts."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from sklearn.metrics import accuracy_score, f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from ..statistics import wilson_interval
from .sources import Results, open_results
from .writing import percent, percent_intervals

HELD_OUT = """
    SELECT p.model, p.dataset, c.labels AS expected, p.outcome AS found
    FROM corpora AS c JOIN predictions AS p ON p.input_id = c.original_id AND p.dataset = c.dataset
    WHERE c.split = 'held_out' AND len(c.labels) > 0
    ORDER BY p.model, p.dataset, c.original_id
"""


def tabulate_accuracy(predictions: Results, *, corpora: Mapping[str, Path]) -> pd.DataFrame:
    """Return a row per model and dataset with labelled held-out texts.

    Columns: model, dataset, n, accuracy (share of texts whose labels are all and only the right
    ones), accuracy_low, accuracy_high (Wilson), macro_f1.
    """
    parts = [("", dataset, path) for dataset, path in corpora.items()]
    connection = open_results(predictions=predictions, corpora=parts)
    held_out = connection.execute(HELD_OUT).df()
    rows = [
        {"model": model, "dataset": dataset, **_scores(group)}
        for (model, dataset), group in held_out.groupby(["model", "dataset"])
    ]
    columns = ["model", "dataset", "n", "accuracy", "accuracy_low", "accuracy_high", "macro_f1"]
    return pd.DataFrame(rows, columns=columns)


def show_accuracy(accuracy: pd.DataFrame) -> pd.DataFrame:
    """Return the accuracy as it is read: percentages with 95 % Wilson intervals."""
    return pd.DataFrame(
        {
            "model": accuracy["model"],
            "dataset": accuracy["dataset"],
            "texts": accuracy["n"],
            "accuracy %": accuracy["accuracy"].map(percent),
            "Wilson": percent_intervals(accuracy, "accuracy"),
            "macro F1 %": accuracy["macro_f1"].map(percent),
        }
    )


def _scores(group: pd.DataFrame) -> dict[str, float]:
    binarizer = MultiLabelBinarizer().fit([*group["expected"], *group["found"]])
    expected, found = map(binarizer.transform, (group["expected"], group["found"]))
    accuracy = accuracy_score(expected, found)
    low, high = wilson_interval(round(accuracy * len(group)), len(group))
    return {
        "n": len(group),
        "accuracy": round(accuracy, 6),
        "accuracy_low": round(low, 6),
        "accuracy_high": round(high, 6),
        "macro_f1": round(f1_score(expected, found, average="macro", zero_division=0), 6),
    }
