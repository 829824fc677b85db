"""Tabulate the grammar scores of originals and their valid mutants (Figure 5)."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_grammar, tabulate_grammar, write_table

CAPTION = (
    "Grammar scores of originals and of their valid mutants: means over the same pairs, weighted "
    "by the tokens of the original, and their difference, in points of 100, with a 95 % cluster "
    "bootstrap by original. A difference is equivalent to none where two one-sided tests at 5 % "
    "put it inside the margin; a no says only that this was not shown. Model all stands for the "
    "sample regardless of model: biased under any model, benign under all. Mutants without a "
    "score, or whose original has none, are unscored and left out."
)


def main(
    *, grammar: list[str], verdicts: list[str], seed: int, margin: float, **files: str
) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_grammar(read_parts(grammar), read_parts(verdicts), seed=seed, margin=margin)
    write_table(rows, show_grammar(rows), TableFiles.of(files), caption=CAPTION)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
