"""Run a model on one shard of a suite."""

import json
from pathlib import Path
from typing import Any

from hinter.database import limit_queries
from hinter.gpus import claimed_gpus
from hinter.job import logged_to
from hinter.models import open_model, read_task
from hinter.predictions import compare_account, read_spending, spending_note, write_predictions
from hinter.responses import ResponseStore, SuiteShard


def main(
    *,
    corpus: str,
    suite: str,
    pairs: str,
    model: str,
    sheet: dict[str, Any],
    task: dict[str, Any],
    seed: int,
    shard: int,
    shards: int,
    store: str,
    predictions: str,
    prompt: str | None = None,
    offsets: str | None = None,
    approval: str | None = None,
) -> None:
    """Write the model's predictions on held-out texts, originals and mutants to `predictions`."""
    spending = (
        read_spending(Path(approval), model=sheet["model"], store=Path(store)) if approval else None
    )
    opened = open_model(
        Path(model),
        sheet=sheet,
        labels=task["labels"],
        multi_label=task["multi_label"],
        task=read_task(corpus=Path(corpus), prompt=prompt, **task) if prompt else None,
        offsets=json.loads(Path(offsets).read_text(encoding="utf-8")) if offsets else None,
        seed=seed,
        spending=spending,
    )
    inputs = SuiteShard(
        corpus=Path(corpus),
        suite=Path(suite),
        held_out=True,
        discarded=sheet["discarded"],
        shard=shard,
        shards=shards,
    )
    responses = ResponseStore(Path(store), fingerprint=opened.fingerprint)
    if spending:
        compare_account(spending.ledger, responses)
    write_predictions(
        opened,
        inputs=inputs,
        pairs=Path(pairs),
        store=responses,
        predictions=Path(predictions),
        note=spending_note(Path(store)) if spending else None,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]), claimed_gpus(snakemake.resources.gpu):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
