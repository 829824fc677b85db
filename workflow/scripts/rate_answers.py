"""Classify the sentiment or the tone of a model's answers."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.models import open_model
from hinter.predictions import write_ratings
from hinter.responses import ResponseStore


def main(*, answers: str, rater: str, store: str, ratings: str, **settings: Any) -> None:
    """Write the `answers` with the outcome and scores by the classifier in the folder `rater`.

    The `settings` are arguments of `open_model`.
    """
    model = open_model(Path(rater), **settings)
    responses = ResponseStore(Path(store), fingerprint=model.fingerprint)
    write_ratings(model, answers=Path(answers), store=responses, path=Path(ratings))


if __name__ == "__main__":
    run_job(main, snakemake)
