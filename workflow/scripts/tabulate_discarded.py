"""Tabulate the grammar scores of valid and of discarded mutants (Figure 8)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_discarded, tabulate_discarded, write_table

CAPTION = (
    "Grammar scores of valid and of discarded mutants beside those of their originals: means over "
    "the same pairs, weighted by the tokens of the original, and their difference, in points of "
    "100, with a 95 % cluster bootstrap by original. The last columns say what valid mutants have "
    "more than discarded ones: in score, which also depends on what originals each come from, and "
    "in difference to these originals, which does not."
)


def main(*, grammar: list[str], seed: int, **files: str) -> None:
    """Write the table; the file names tell the dataset."""
    rows = tabulate_discarded(read_parts(grammar), seed=seed)
    write_table(rows, show_discarded(rows), TableFiles.of(files), caption=CAPTION)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
