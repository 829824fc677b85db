"""Score a fine-tuned encoder on its task."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, f1_score


class Scores(NamedTuple):
    """Scores on a number of texts, as shares; `accuracy` is that of exactly right label sets."""

    texts: int
    accuracy: float
    micro_f1: float
    macro_f1: float


def measure(logits: NDArray[np.floating], targets: NDArray[Any], *, none_counts: bool) -> Scores:
    """Return the scores of `logits`, shape (texts, labels), as LexGLUE computes them.

    `targets` holds a label's index per text or, for multi-label tasks, 0 or 1 per text and label.
    In the latter case, with `none_counts`, having no label counts as a further label.
    """
    if targets.ndim == 1:
        expected, found = targets, logits.argmax(axis=1)
    else:
        expected, found = targets > 0, logits >= 0
    accuracy = accuracy_score(expected, found)
    if none_counts:
        expected, found = _with_none(expected), _with_none(found)
    micro, macro = (
        f1_score(expected, found, average=average, zero_division=0)
        for average in ("micro", "macro")
    )
    return Scores(len(targets), float(accuracy), float(micro), float(macro))


def write_scores(
    scores: Mapping[str, Scores], path: Path, *, model: str, dataset: str, published_as: str | None
) -> None:
    """Write a row per split to the CSV `path`; `published_as` is the model in published scores."""
    columns = ["model", "dataset", "split", *Scores._fields, "published_as"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for split, found in scores.items():
            rounded = {name: round(value, 6) for name, value in found._asdict().items()}
            named = {"model": model, "dataset": dataset, "split": split}
            writer.writerow(named | rounded | {"published_as": published_as})


def _with_none(chosen: NDArray[Any]) -> NDArray[Any]:
    return np.column_stack([chosen, ~chosen.any(axis=1)])
