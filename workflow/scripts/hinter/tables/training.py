"""How well the fine-tuned encoders do, beside what LexGLUE published for them."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from .writing import percent

RATES = ("accuracy", "micro_f1", "macro_f1", "published_micro_f1", "published_macro_f1")


def tabulate_training(scores: Sequence[Path], *, published: Path) -> pd.DataFrame:
    """Return a row per fine-tuned model, dataset and split, from their score files.

    Columns: model, dataset, split, texts, accuracy (all labels right), micro_f1, macro_f1 and, for
    held-out texts of LexGLUE, published_micro_f1 and published_macro_f1 (Chalkidis et al. 2022).
    """
    rows = pd.concat([pd.read_csv(path) for path in scores])
    known = (
        pd.read_csv(published).rename(columns={"model": "published_as"}).assign(split="held_out")
    )
    known = known.rename(columns={name: f"published_{name}" for name in ("micro_f1", "macro_f1")})
    rows["published_as"] = rows["published_as"].astype("object")
    rows = rows.merge(known, on=["published_as", "dataset", "split"], how="left")
    return rows.drop(columns="published_as").sort_values(["dataset", "model", "split"])


def show_training(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the scores as they are read: percentages."""
    shown = rows.drop(columns=list(RATES))
    for rate in RATES:
        shown[f"{rate.replace('_', ' ').replace('f1', 'F1')} %"] = rows[rate].map(percent)
    return shown
