"""The scores of the fine-tuned encoders, next to those that LexGLUE published."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ..columns import RUN
from ..shown import in_percent, shown
from ..table import Table

RATES = ("accuracy", "micro_f1", "macro_f1", "published_micro_f1", "published_macro_f1")


def tabulate_training(scores: Sequence[Path], *, published_scores: Path) -> pd.DataFrame:
    """Return a row per fine-tuned model, dataset and split, from their score files."""
    rows = pd.concat([pd.read_csv(path) for path in scores])
    names = {name: f"published_{name}" for name in ("micro_f1", "macro_f1")}
    known = pd.read_csv(published_scores).rename(columns={"model": "published_as", **names})
    known = known.assign(split="held_out")
    rows["published_as"] = rows["published_as"].astype("object")
    rows = rows.merge(known, on=["published_as", "dataset", "split"], how="left")
    return rows.drop(columns="published_as").sort_values(["dataset", "model", "split"])


TABLE = Table(
    title="Fine-tuned encoders",
    only_if=("fine-tuning",),
    columns={
        **RUN,
        "split": "validation or held_out",
        "texts": "number of texts",
        "accuracy": "share of texts with exactly the right labels",
        "micro_f1": "micro F1",
        "macro_f1": "macro F1",
        "published_micro_f1": "micro F1 on held-out texts of LexGLUE (Chalkidis et al. 2022)",
        "published_macro_f1": "macro F1 on the same texts",
    },
    compute=tabulate_training,
    show=shown(
        *("model", "dataset", "split", "texts"),
        *(in_percent(name, f"{name.replace('_', ' ').replace('f1', 'F1')} %") for name in RATES),
    ),
    empty="Nothing to show: no encoder was fine-tuned.",
    text="""\
Fine-tuned encoders: accuracy (exactly the right labels), micro and macro F1, and the test scores
that LexGLUE published for the same architecture, if there are any.

On ECtHR and SCOTUS, LexGLUE's scores are those of hierarchical models, which read more than the 512
tokens that these encoders see.
""",
)
