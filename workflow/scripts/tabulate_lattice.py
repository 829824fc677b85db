"""Tabulate hidden and masked bias and the smallest biased sets of pairs, by order."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_lattice, tabulate_lattice, write_rates

CAPTION = (
    "Mutants by order: hidden bias, masked bias (a sub-mutant is biased, the mutant is not) and "
    "the minimal biased subsets by their number of pairs, among mutants with a verdict on all "
    "their sub-mutants. With a 95 % cluster bootstrap by original."
)


def main(*, verdicts: list[str], warnings: str, seed: int, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_lattice(read_parts(verdicts), seed=seed)
    write_rates(rows, show_lattice(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
