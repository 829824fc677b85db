"""Run a model on one shard of a suite."""

from pathlib import Path
from typing import Any

from hinter.database import limit_queries
from hinter.gpus import claimed_gpus
from hinter.job import logged_to
from hinter.limits import HeldOut
from hinter.predictions import open_for_dataset, write_predictions
from hinter.responses import SuiteShard


def main(
    *,
    corpus: str,
    suite: str,
    model: str,
    asking: dict[str, Any],
    held_out: dict[str, Any] | None,
    shard: int,
    shards: int,
    predictions: str,
    prompt: str | None = None,
    offsets: str | None = None,
    approval: str | None = None,
) -> None:
    """Write the model's predictions on held-out texts, originals and mutants to `predictions`."""
    opened = open_for_dataset(
        Path(model),
        corpus=Path(corpus),
        asking=asking,
        prompt=prompt,
        offsets=offsets,
        approval=approval,
    )
    inputs = SuiteShard(
        corpus=Path(corpus),
        suite=Path(suite),
        held_out=HeldOut(**held_out) if held_out else None,
        discarded=asking["sheet"]["discarded"],
        shard=shard,
        shards=shards,
    )
    write_predictions(
        opened.model,
        inputs=inputs,
        store=opened.store,
        predictions=Path(predictions),
        note=opened.note,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]), claimed_gpus(snakemake.resources.gpu):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
