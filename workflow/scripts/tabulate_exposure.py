"""Tabulate which campaigns of mutants expose the originals (Figure 10)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_exposure, tabulate_exposure, write_rates

CAPTION = (
    "Originals by the campaigns that expose them, with at least one biased mutant: atomic mutants "
    "of the first and of the second attribute, and mutants of both. Only originals with mutants "
    "in all three campaigns; percentages of those exposed by any, with 95 % Wilson intervals."
)


def main(*, verdicts: list[str], warnings: str, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_exposure(read_parts(verdicts))
    write_rates(rows, show_exposure(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.output)
