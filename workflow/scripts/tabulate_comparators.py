"""Tabulate the comparators of the invariant side by side."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_comparators,
    tabulate_comparators,
    write_table,
)

CAPTION = (
    "The comparators of the invariant on one suite of valid and discarded mutants: share of valid "
    "mutants, bias rate among valid and among discarded ones (95 % cluster bootstrap by original), "
    "and agreement with the paper's comparator (tolerant), with Cohen's kappa."
)


def main(*, verdicts: list[str], comparators: list[str], seed: int, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_comparators(read_parts(verdicts), read_parts(comparators), seed=seed)
    write_table(rows, show_comparators(rows), TableFiles.of(files), caption=CAPTION)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
