"""Tabulate biased mutants among valid and among discarded ones (Figure 7)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    describe_false_positives,
    describe_left_out,
    read_parts,
    show_false_positives,
    tabulate_false_positives,
    write_rates,
)

CAPTION = (
    "Biased mutants among valid and among discarded ones: bias rates with 95 % Wilson intervals "
    "and a cluster bootstrap by original, the shares of both in the tested and in the biased "
    "mutants, and the bias rate of discarded mutants over that of valid ones. Model all counts a "
    "mutant once per model."
)


def main(*, verdicts: list[str], warnings: str, seed: int, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    parts = read_parts(verdicts)
    rows = tabulate_false_positives(parts, seed=seed)
    caption = f"{CAPTION} {describe_false_positives(rows)}"
    notes = describe_left_out(parts)
    write_rates(
        rows,
        show_false_positives(rows),
        TableFiles.of(files),
        caption=caption,
        warnings=warnings,
        notes=notes,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
