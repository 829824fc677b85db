"""Write the form in which people annotate mutants."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hinter.assessments import (
    Item,
    assessed_about,
    assessed_items,
    read_assessed,
    sample_mutants,
    write_form,
)
from hinter.corpora import read_split
from hinter.dictionary import read_pairs
from hinter.job import run_job, warn
from hinter.mutation import Mutant


def main(
    *,
    form: Path,
    page: Path,
    guideline: Path,
    template: Path,
    assessments: Path | None = None,
    operators: Sequence[str] = (),
    **sampling: Any,
) -> None:
    """Write mutants to the CSV `form` and the HTML `page`.

    They are those of the `assessments` by language models that are evidence on mutants of the
    study's `operators`. Without these, they are sampled (`_sampled`).
    """
    if assessments:
        items = assessed_items(assessed_about(read_assessed(assessments), operators=operators))
    else:
        items = _sampled(**sampling)
    write_form(items, form, page=page, template=template, guideline=guideline)


def _sampled(
    *, corpora: Sequence[str], suites: Sequence[str], pairs: str, mutants: int, seed: int
) -> list[Item]:
    """Return so many valid `mutants` of the Parquet `suites`.

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
    return [
        Item(
            Mutant.of_row(mutant, texts[mutant["original_id"]]),
            [known[pair_id] for pair_id in mutant["pair_ids"]],
            mutant["dataset"],
        )
        for mutant in sampled
    ]


if __name__ == "__main__":
    run_job(main, snakemake)
