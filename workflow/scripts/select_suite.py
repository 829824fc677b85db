"""Select the mutants that the models are run on."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.oracle import select_suite


def main(*, mutants: str, suite: str, **settings: Any) -> None:
    """Write the rows of `mutants` that `select_suite` selects to `suite`, both Parquet files."""
    select_suite(Path(mutants), Path(suite), **settings)


if __name__ == "__main__":
    run_job(main, snakemake)
