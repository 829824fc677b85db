"""Ask a model behind an endpoint about each original several times."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.predictions import open_for_dataset, write_repeats
from hinter.responses import SuiteShard


def main(
    *, corpus: str, suite: str, asking: dict[str, Any], repeats: int, answers: str, **model: Any
) -> None:
    """Write all answers about each original to `answers`.

    The `model` is an argument of `open_for_dataset`.
    """
    opened = open_for_dataset(corpus=Path(corpus), asking=asking, **model)
    write_repeats(
        opened.model,
        inputs=SuiteShard(
            corpus=Path(corpus),
            suite=Path(suite),
            held_out=None,
            discarded=asking["sheet"]["discarded"],
        ),
        repeats=repeats,
        store=opened.store,
        path=Path(answers),
        note=opened.note,
    )


if __name__ == "__main__":
    run_job(main, snakemake)
