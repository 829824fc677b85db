"""Tabulate biased mutants among valid and among discarded ones (Figure 7)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    describe_false_positives,
    read_parts,
    show_false_positives,
    tabulate_false_positives,
    write_table,
)

CAPTION = (
    "Biased mutants among valid and among discarded ones: bias rates with 95 % Wilson intervals "
    "and a cluster bootstrap by original, the shares of both in the tested and in the biased "
    "mutants, and the bias rate of discarded mutants over that of valid ones. Model all counts a "
    "mutant once per model."
)


def main(*, verdicts: list[str], seed: int, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_false_positives(read_parts(verdicts), seed=seed)
    caption = f"{CAPTION} {describe_false_positives(rows)}"
    write_table(rows, show_false_positives(rows), TableFiles.of(files), caption=caption)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
