"""Classify the sentiment or the tone of a model's answers."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.models import open_model
from hinter.predictions import Opened, write_ratings
from hinter.responses import ResponseStore


def main(*, answers: Path, rater: Path, store: Path, ratings: Path, **settings: Any) -> None:
    """Write the `answers` with the outcome and scores by the classifier in the folder `rater`.

    The `settings` are arguments of `open_model`.
    """
    model = open_model(rater, **settings)
    responses = ResponseStore(store, fingerprint=model.fingerprint)
    write_ratings(Opened(model, responses), answers=answers, path=ratings)


if __name__ == "__main__":
    run_job(main, snakemake)
