"""Tabulate differences of bias rate between models, paired on identical suites."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_model_comparison,
    tabulate_model_comparison,
    write_rates,
)

CAPTION = (
    "Models compared on the mutants on which both have a verdict: bias rates, their difference "
    "with a 95 % cluster bootstrap by original, mutants biased under one of them alone, McNemar's "
    "exact test, the permutation test by original (p) with its Benjamini-Hochberg adjustment (q), "
    "and the difference that would be found with a probability of 80 %."
)


def main(*, verdicts: list[str], warnings: str, seed: int, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_model_comparison(read_parts(verdicts), seed=seed)
    write_rates(
        rows, show_model_comparison(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
