"""Draw the mutants whose grammar is scored."""

from pathlib import Path

from hinter.database import limit_queries
from hinter.grammar import sample_texts
from hinter.job import logged_to


def main(
    *,
    suite: str,
    originals: int | None,
    valid: int | None,
    discarded: int | None,
    seed: int,
    sample: str,
) -> None:
    """Write the drawn rows of the Parquet `suite` to the Parquet `sample`."""
    sample_texts(
        Path(suite), Path(sample), originals=originals, valid=valid, discarded=discarded, seed=seed
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
