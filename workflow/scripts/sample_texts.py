"""Sample the mutants whose grammar is scored."""

from pathlib import Path
from typing import Any

from hinter.grammar import sample_texts
from hinter.job import run_job


def main(*, suite: str, sample: str, **sizes: Any) -> None:
    """Write the rows of the Parquet `suite` that `sample_texts` selects to the Parquet `sample`."""
    sample_texts(Path(suite), Path(sample), **sizes)


if __name__ == "__main__":
    run_job(main, snakemake)
