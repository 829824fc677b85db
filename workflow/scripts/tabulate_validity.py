"""Tabulate how many mutants are valid and how many are discarded (Figure 6)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_validity, tabulate_validity, write_table

CAPTION = (
    "Valid and discarded mutants of all tested texts, and why the latter are discarded: another "
    "number of sentences, other parts of speech, other dependency labels. The counts are exact. "
    "The share of valid mutants is of those checked."
)


def main(*, counts: list[str], **files: str) -> None:
    """Write the table; the file names tell the dataset."""
    rows = tabulate_validity(read_parts(counts))
    write_table(rows, show_validity(rows), TableFiles.of(files), caption=CAPTION)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.output)
