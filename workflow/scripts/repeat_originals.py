"""Ask a model behind an endpoint about each original several times."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.predictions import open_for_dataset, write_repeats
from hinter.responses import SuiteShard


def main(
    *, corpus: Path, suite: Path, asking: dict[str, Any], repeats: int, answers: Path, **model: Any
) -> None:
    """Write all answers about each original to `answers`.

    The `model` is an argument of `open_for_dataset`.
    """
    opened = open_for_dataset(corpus=corpus, asking=asking, **model)
    inputs = SuiteShard(corpus=corpus, suite=suite, discarded=asking["sheet"]["discarded"])
    write_repeats(opened, inputs=inputs, repeats=repeats, path=answers)


if __name__ == "__main__":
    run_job(main, snakemake)
