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
    answers: str,
    exported: str,
    corpus: str,
    suite: str,
    task: dict[str, Any],
    held_out: dict[str, Any],
    discarded: bool,
    predictions: str,
    prompt: str | None = None,
) -> None:
    """Write the predictions of a model, read from its file of `answers` to the `exported` suite."""
    inputs = SuiteShard(
        corpus=Path(corpus), suite=Path(suite), held_out=HeldOut(**held_out), discarded=discarded
    )
    read_answers(
        Path(answers),
        exported=Path(exported),
        inputs=inputs,
        **task,
        parser=read_task(corpus=Path(corpus), prompt=prompt, **task).parser()
        if prompt
        else AnswerParser(task["labels"], multi_label=task["multi_label"], none=NONE),
        predictions=Path(predictions),
    )


if __name__ == "__main__":
    run_job(main, snakemake)
