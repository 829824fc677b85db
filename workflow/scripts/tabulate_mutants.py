"""Tabulate how many mutants there are and what the invariant says of them."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_mutants, tabulate_mutants, write_table

CAPTION = (
    "Mutants of all tested texts: how many there are, how many are valid, and why the others are "
    "discarded. These counts are exact. The models are run on the valid ones in the column tested: "
    "all of them, a uniform sample, or the suite of drawn originals and pairs (basis)."
)


def main(*, counts: list[str], suites: list[str], **files: str) -> None:
    """Write the table; the file names tell the dataset."""
    rows = tabulate_mutants(read_parts(counts), read_parts(suites))
    write_table(rows, show_mutants(rows), TableFiles.of(files), caption=CAPTION)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.output)
