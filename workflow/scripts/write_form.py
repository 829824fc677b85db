"""Write the form in which people annotate mutants."""

from collections.abc import Sequence
from pathlib import Path

from hinter.assessments import item_of, sample_mutants, write_form, write_page
from hinter.corpora import read_split
from hinter.dictionary import read_pairs
from hinter.job import run_job, warn


def main(
    *,
    corpora: Sequence[str],
    suites: Sequence[str],
    pairs: str,
    guideline: str,
    template: str,
    mutants: int,
    seed: int,
    form: str,
    page: str,
) -> None:
    """Write valid mutants of the Parquet `suites` to the CSV `form` and the HTML `page`.

    `corpora` are the Parquet files of the same datasets.
    """
    by_dataset = {Path(suite).stem: Path(suite) for suite in suites}
    sampled = sample_mutants(by_dataset, mutants=mutants, seed=seed)
    if len(sampled) < mutants:
        warn("the form has %d mutants instead of %d: no more are valid", len(sampled), mutants)
    wanted = {mutant["original_id"] for mutant in sampled}
    texts = {
        text.original_id: text.text
        for corpus in corpora
        for text in read_split(Path(corpus), split="tested")
        if text.original_id in wanted
    }
    known = {pair.pair_id: pair for pair in read_pairs(Path(pairs))}
    items = [
        item_of(mutant, original=texts[mutant["original_id"]], pairs=known) for mutant in sampled
    ]
    write_form(items, Path(form))
    write_page(items, Path(page), template=Path(template), guideline=Path(guideline))


if __name__ == "__main__":
    run_job(main, snakemake)
