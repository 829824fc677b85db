"""Select the mutants that the models are run on."""

from pathlib import Path
from typing import Any

from hinter.job import logged_to
from hinter.oracle import select_suite


def main(*, mutants: str, suite: str, **settings: Any) -> None:
    """Write the rows of `mutants` that `select_suite` selects to `suite`, both Parquet files."""
    select_suite(Path(mutants), Path(suite), **settings)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
