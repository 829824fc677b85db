"""Write the texts for a model that is asked outside this workflow."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.limits import HeldOut
from hinter.models import read_task
from hinter.predictions import export_suite
from hinter.responses import SuiteShard


def main(
    *,
    corpus: str,
    suite: str,
    task: dict[str, Any],
    held_out: dict[str, Any],
    discarded: bool,
    lines: str,
    table: str,
    prompt: str | None = None,
) -> None:
    """Write the held-out texts, originals and mutants of a suite to `lines` and `table`."""
    inputs = SuiteShard(
        corpus=Path(corpus), suite=Path(suite), held_out=HeldOut(**held_out), discarded=discarded
    )
    export_suite(
        inputs,
        task=read_task(corpus=Path(corpus), prompt=prompt, **task) if prompt else None,
        lines=Path(lines),
        table=Path(table),
    )


if __name__ == "__main__":
    run_job(main, snakemake)
