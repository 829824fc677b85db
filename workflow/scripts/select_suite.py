"""Select the mutants that the models are run on."""

from pathlib import Path

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.oracle import select_suite


def main(
    *,
    mutants: str,
    originals: int | None,
    pairs_per_attribute: int | None,
    discarded: bool,
    seed: int,
    suite: str,
    may_be_empty: bool = False,
) -> None:
    """Write the chosen rows of the Parquet `mutants` to the Parquet `suite`."""
    select_suite(
        Path(mutants),
        Path(suite),
        originals=originals,
        pairs_per_attribute=pairs_per_attribute,
        discarded=discarded,
        seed=seed,
        may_be_empty=may_be_empty,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
