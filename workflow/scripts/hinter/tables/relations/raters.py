"""How accurate the classifiers that rate answers are on held-out texts."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ..shown import each_as, percent, shown
from ..table import Table

COLUMNS = {
    "model": "name of the classifier",
    "dataset": "name of the dataset that it is fine-tuned on",
    "split": "the split that it is scored on",
    "texts": "number of texts",
    "accuracy": "share of texts with the right label",
    "macro_f1": "macro F1 over the labels",
}


def tabulate_raters(rater_scores: Sequence[Path]) -> pd.DataFrame:
    """Return a row per classifier and split."""
    none = pd.DataFrame(columns=list(COLUMNS))
    return pd.concat([none, *map(pd.read_csv, rater_scores)], ignore_index=True)[list(COLUMNS)]


TABLE = Table(
    title="Classifiers of answers",
    reads=("rater_scores",),
    only_if=("fine-tuned raters",),
    columns=COLUMNS,
    compute=tabulate_raters,
    show=shown(
        *("model", "dataset", "split", "texts"),
        each_as(percent, accuracy="accuracy %", macro_f1="macro F1 %"),
    ),
    caption="How accurate the classifiers that rate answers are on held-out texts.",
    empty="Nothing to show: no classifier is fine-tuned in this study.",
    about="They are fine-tuned in this study. Their errors are noise in all counts of faults.",
)
