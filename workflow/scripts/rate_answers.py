"""Classify the sentiment or the tone of a model's answers."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.models import open_model
from hinter.predictions import write_ratings
from hinter.responses import ResponseStore


def main(
    *,
    answers: str,
    rater: str,
    sheet: dict[str, Any],
    labels: list[str],
    multi_label: bool,
    seed: int,
    store: str,
    ratings: str,
) -> None:
    """Write the `answers` with the outcome and scores by the classifier in the folder `rater`."""
    model = open_model(Path(rater), sheet=sheet, labels=labels, multi_label=multi_label, seed=seed)
    responses = ResponseStore(Path(store), fingerprint=model.fingerprint)
    write_ratings(model, answers=Path(answers), store=responses, path=Path(ratings))


if __name__ == "__main__":
    run_job(main, snakemake)
