"""Tabulate the originals with at least one intersectional bias (behind Figure 4)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_biased_originals,
    tabulate_biased_originals,
    write_rates,
)

CAPTION = (
    "Originals with at least one biased intersectional mutant, among those with at least one valid "
    "intersectional mutant that was run, with 95 % Wilson intervals."
)


def main(*, verdicts: list[str], warnings: str, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    shares = tabulate_biased_originals(read_parts(verdicts))
    write_rates(
        shares,
        show_biased_originals(shares),
        TableFiles.of(files),
        caption=CAPTION,
        warnings=warnings,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.output)
