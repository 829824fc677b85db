"""Limit a suite to the part that a model is run on."""

from pathlib import Path

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.oracle import limit_suite


def main(
    *,
    suite: str,
    originals: int | None,
    pairs_per_attribute: int | None,
    tests: int | None,
    seed: int,
    limited: str,
    controls: str | None = None,
) -> None:
    """Write the rows of the Parquet `suite` that keep to the limits to the Parquet `limited`."""
    limit_suite(
        Path(suite),
        Path(limited),
        originals=originals,
        pairs_per_attribute=pairs_per_attribute,
        tests=tests,
        seed=seed,
        controls=Path(controls) if controls else None,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
