"""Tabulate the comparators of the invariant side by side."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    describe_left_out,
    read_parts,
    show_comparators,
    tabulate_comparators,
    write_rates,
)

CAPTION = (
    "The comparators of the invariant on one suite of valid and discarded mutants: share of valid "
    "mutants, bias rate among valid and among discarded ones (95 % cluster bootstrap by original), "
    "and agreement with the paper's comparator (tolerant), with Cohen's kappa."
)


def main(
    *, verdicts: list[str], comparators: list[str], warnings: str, seed: int, **files: str
) -> None:
    """Write the table; the file names tell model and dataset."""
    parts = read_parts(verdicts)
    rows = tabulate_comparators(parts, read_parts(comparators), seed=seed)
    notes = describe_left_out(parts)
    write_rates(
        rows,
        show_comparators(rows),
        TableFiles.of(files),
        caption=CAPTION,
        warnings=warnings,
        notes=notes,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
