"""Decide which mutants of a suite are biased, by a model's outcomes."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.oracle import judge_mutants


def main(*, suite: str, predictions: str, verdicts: str, **settings: Any) -> None:
    """Write the verdicts of `judge_mutants` on all mutants run to the Parquet `verdicts`."""
    judge_mutants(Path(suite), Path(predictions), Path(verdicts), **settings)


if __name__ == "__main__":
    run_job(main, snakemake)
