"""Tabulate whether mutants are biased where their atomic sub-mutants are (Figure 9)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_truth_table,
    tabulate_truth_table,
    write_rates,
)

CAPTION = (
    "Truth table of mutants of two attributes: biased or benign, and the same of the atomic "
    "mutants of their own first and second pair. Percentages of the mutants with the same verdict "
    "whose atomic mutants were both valid and run; the others are undecided. With 95 % Wilson "
    "intervals and a cluster bootstrap by original."
)


def main(*, verdicts: list[str], warnings: str, seed: int, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_truth_table(read_parts(verdicts), seed=seed)
    write_rates(
        rows, show_truth_table(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
