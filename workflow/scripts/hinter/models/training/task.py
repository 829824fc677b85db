"""The task of an encoder that is fine-tuned: settings, texts and targets as rows, and scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, f1_score
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...corpora import Text
from ..loading import load_untrained

Rows = list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """The task that an encoder is trained for, and how it is trained.

    `labels` are the label names in the order of the model's outputs. `batch_size` is the number of
    texts per step, even if fewer fit on the device at once. `learning_rate` is the peak. With
    `patience`, the epoch with the best micro F1 on the validation texts is kept, and training ends
    after that many epochs without a better one. Without it, the last epoch is kept. `device` is
    `cpu`, `cuda`, or `auto` for CUDA if there is a device.
    """

    labels: Sequence[str]
    multi_label: bool = False
    epochs: int
    learning_rate: float
    batch_size: int
    patience: int | None = None
    max_tokens: int
    threads: int
    seed: int
    device: str = "cpu"


def new_classifier(base: Path, *, settings: TrainingSettings) -> PreTrainedModel:
    """Return the encoder in `base` with a new head of one output per label."""
    labels = settings.labels
    kind = "multi_label" if settings.multi_label else "single_label"
    return load_untrained(
        base,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: index for index, label in enumerate(labels)},
        problem_type=f"{kind}_classification",
        # Some encoders are published in half precision, which would lose small steps.
        dtype=torch.float32,
    )


def to_rows(
    texts: Sequence[Text], *, tokenizer: PreTrainedTokenizerBase, settings: TrainingSettings
) -> Rows:
    """Return token ids and target of each text: an index, or for multi-label 0 or 1 per label."""
    if not texts:
        return []
    encoded = tokenizer(
        [text.text for text in texts],
        truncation=True,
        max_length=settings.max_tokens,
        split_special_tokens=True,
    )
    return [
        {
            "input_ids": ids,
            "label": [float(label in text.labels) for label in settings.labels]
            if settings.multi_label
            else settings.labels.index(text.labels[0]),
        }
        for text, ids in zip(texts, encoded["input_ids"], strict=True)
    ]


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
    rows = [
        [model, dataset, split, *(round(value, 6) for value in found), published_as]
        for split, found in scores.items()
    ]
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False, lineterminator="\n")


def _with_none(chosen: NDArray[Any]) -> NDArray[Any]:
    return np.column_stack([chosen, ~chosen.any(axis=1)])
