"""Tabulate which biased atomic mutants intersectional testing finds again (Figure 9)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_atomic_mutants,
    tabulate_atomic_mutants,
    write_rates,
)

CAPTION = (
    "Biased atomic mutants that are part of a mutant of two attributes: shared where such a "
    "mutant is biased too, strict where none is. With 95 % Wilson intervals and a cluster "
    "bootstrap by original."
)


def main(*, verdicts: list[str], warnings: str, seed: int, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_atomic_mutants(read_parts(verdicts), seed=seed)
    write_rates(
        rows, show_atomic_mutants(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
