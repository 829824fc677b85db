"""Tabulate hidden cases with their mutations marked (Table 1)."""

from pathlib import Path

from hinter.corpora import read_split
from hinter.database import limit_queries
from hinter.dictionary import read_pairs
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, tabulate_hidden_cases, write_rates

CAPTION = (
    "Hidden intersectional bias: the outcome changes for the intersectional mutant and for none of "
    "its sub-mutants. Mutations are marked; sentences without mutations are left out."
)
LATEX_COLUMNS = "rlllllp{3cm}p{8cm}ll"


def main(
    *,
    verdicts: list[str],
    predictions: list[str],
    corpora: list[str],
    pairs: str,
    warnings: str,
    count: int,
    seed: int,
    **files: str,
) -> None:
    """Write `count` cases; the file names tell model and dataset."""
    texts = {
        text.original_id: text
        for path in corpora
        for text in read_split(Path(path), split="tested")
    }
    cases = tabulate_hidden_cases(
        read_parts(verdicts),
        read_parts(predictions),
        texts=texts,
        pairs={pair.pair_id: pair for pair in read_pairs(Path(pairs))},
        count=count,
        seed=seed,
    )
    write_rates(
        cases,
        cases,
        TableFiles.of(files),
        caption=CAPTION,
        warnings=warnings,
        latex_columns=LATEX_COLUMNS,
        marked="excerpt",
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
