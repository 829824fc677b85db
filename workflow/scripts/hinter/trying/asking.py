"""The outcomes of a model on the suite of tried texts, and the verdicts on its mutants."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..oracle import judge_mutants
from ..predictions import open_for_dataset, write_approval, write_predictions
from ..responses import SuiteShard


def ask_mutants(
    model: Path,
    *,
    asking: Mapping[str, Any],
    examples: Path,
    prompt: str | None,
    offsets: str | None,
    paid: Mapping[str, Any] | None,
    judging: Mapping[str, Any],
    folder: Path,
) -> None:
    """Write the predictions on `suite.parquet` of the folder, and the verdicts on its mutants.

    `asking` is how a study asks the model about a dataset, whose corpus holds the prompt's
    `examples`; `paid` has the budget and prices of a model behind an endpoint, and `judging` says
    what the study takes for bias and for hidden.
    """
    approval = None
    if paid is not None:
        approval = folder / "approval.json"
        write_approval(approval, **paid)
    opened = open_for_dataset(
        model,
        corpus=examples,
        asking=asking,
        prompt=prompt,
        offsets=offsets,
        approval=str(approval) if approval else None,
    )
    suite, predictions = folder / "suite.parquet", folder / "predictions.parquet"
    write_predictions(
        opened.model,
        inputs=SuiteShard(
            corpus=folder / "corpus.parquet", suite=suite, held_out=None, discarded=False
        ),
        store=opened.store,
        predictions=predictions,
        note=opened.note,
    )
    verdicts = folder / "verdicts.parquet"
    judge_mutants(suite, predictions, verdicts, **judging)
