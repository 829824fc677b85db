"""Try texts on a model: make mutants, ask about them, and judge the outcomes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from ..corpora import Text
from ..mutants import Making
from ..oracle import judge_mutants
from ..predictions import open_for_dataset, write_approval, write_predictions
from ..responses import SuiteShard
from .mutants import write_mutants
from .results import show_tried


def try_texts(
    texts: Sequence[Text],
    *,
    making: Making,
    mutants: Mapping[str, Any],
    model: str,
    examples: str,
    paid: Mapping[str, Any] | None,
    judging: Mapping[str, Any],
    **opening: Any,
) -> str:
    """Return the mentions in the texts, and the lattices of their biased mutants.

    `mutants` says which mutants are made and asked about. `opening` says how a study opens the
    model for a dataset, whose corpus has the prompt's `examples`. `paid` has the budget and prices
    of a model behind an endpoint, and `judging` the study's definitions of bias and hidden bias.
    """
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        mentioned = write_mutants(texts, making=making, folder=folder, **mutants)
        if paid is not None:
            opening["approval"] = str(folder / "approval.json")
            write_approval(folder / "approval.json", **paid)
        opened = open_for_dataset(model, corpus=Path(examples), **opening)
        corpus, suite, predictions, verdicts, recipes = (
            folder / f"{name}.parquet"
            for name in ("corpus", "suite", "predictions", "verdicts", "mutants")
        )
        write_predictions(
            opened.model,
            inputs=SuiteShard(corpus=corpus, suite=suite, held_out=None, discarded=False),
            store=opened.store,
            predictions=predictions,
            note=opened.note,
        )
        judge_mutants(suite, predictions, verdicts, **judging)
        return show_tried(
            texts,
            mentioned=mentioned,
            mutants=pq.read_table(recipes).to_pylist(),
            verdicts=pq.read_table(verdicts).to_pylist(),
            predictions={row["input_id"]: row for row in pq.read_table(predictions).to_pylist()},
        )
