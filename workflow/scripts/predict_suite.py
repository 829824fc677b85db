"""Run a model on one shard of a suite."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.limits import HeldOut
from hinter.predictions import open_for_dataset, write_predictions
from hinter.responses import SuiteShard


def main(
    *,
    corpus: Path,
    suite: Path,
    asking: dict[str, Any],
    held_out: dict[str, Any] | None,
    shard: int,
    shards: int,
    predictions: Path,
    **model: Any,
) -> None:
    """Write the model's predictions on held-out texts, originals and mutants to `predictions`.

    The `model` is an argument of `open_for_dataset`.
    """
    opened = open_for_dataset(corpus=corpus, asking=asking, **model)
    inputs = SuiteShard(
        corpus=corpus,
        suite=suite,
        held_out=HeldOut(**held_out) if held_out else None,
        discarded=asking["sheet"]["discarded"],
        shard=shard,
        shards=shards,
    )
    write_predictions(opened, inputs=inputs, predictions=predictions)


if __name__ == "__main__":
    run_job(main, snakemake)
