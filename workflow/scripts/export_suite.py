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
    corpus: Path,
    suite: Path,
    task: dict[str, Any],
    held_out: dict[str, Any],
    discarded: bool,
    lines: Path,
    table: Path,
    prompt: str | None = None,
) -> None:
    """Write the held-out texts, originals and mutants of a suite to `lines` and `table`."""
    held = HeldOut(**held_out)
    inputs = SuiteShard(corpus=corpus, suite=suite, held_out=held, discarded=discarded)
    asked = read_task(corpus=corpus, prompt=prompt, **task) if prompt else None
    export_suite(inputs, task=asked, lines=lines, table=table)


if __name__ == "__main__":
    run_job(main, snakemake)
