"""Read the answers of a model that was asked outside this workflow."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.limits import HeldOut
from hinter.models import AnswerParser, read_task
from hinter.predictions import read_answers
from hinter.responses import SuiteShard

NONE = "None"
"""The answer that no label applies, unless the prompt of a dataset asks for another."""


def main(
    *,
    answers: Path,
    exported: Path,
    corpus: Path,
    suite: Path,
    task: dict[str, Any],
    held_out: dict[str, Any],
    discarded: bool,
    predictions: Path,
    prompt: str | None = None,
) -> None:
    """Write the predictions of a model, read from its file of `answers` to the `exported` suite."""
    held = HeldOut(**held_out)
    read_answers(
        answers,
        exported=exported,
        inputs=SuiteShard(corpus=corpus, suite=suite, held_out=held, discarded=discarded),
        **task,
        parser=read_task(corpus=corpus, prompt=prompt, **task).parser()
        if prompt
        else AnswerParser(**task, none=NONE),
        predictions=predictions,
    )


if __name__ == "__main__":
    run_job(main, snakemake)
