"""Limit a suite to the part that a model is run on."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.oracle import limit_suite


def main(*, suite: str, limited: str, controls: str | None = None, **limits: Any) -> None:
    """Write the rows of the Parquet `suite` within the limits to the Parquet `limited`.

    The limits are arguments of `limit_suite`.
    """
    matched = Path(controls) if controls else None
    limit_suite(Path(suite), Path(limited), controls=matched, **limits)


if __name__ == "__main__":
    run_job(main, snakemake)
