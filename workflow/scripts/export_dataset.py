"""Write the data of a study as a dataset for publication, with its card."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hinter.dictionary import read_pairs
from hinter.exports import Shared, Studied, write_dataset
from hinter.job import run_job
from hinter.tables import read_parts
from hinter.yaml_files import read_yaml


def main(
    *,
    suites: Sequence[str],
    corpora: Sequence[str],
    verdicts: Sequence[str],
    predictions: Sequence[str],
    pairs: str,
    citation: str,
    template: str,
    study_settings: Mapping[str, str],
    folder: str,
    comparators: Sequence[str] = (),
    cases: Sequence[str] = (),
    **of_study: Mapping[str, Mapping[str, Any]],
) -> None:
    """Write the dataset into `folder`, with a card made from the `template`.

    `study_settings` are the settings of the study that the card lists. The rest are fields of
    `Studied`.
    """
    write_dataset(
        Shared(*map(read_parts, (suites, corpora, verdicts, predictions, comparators, cases))),
        pairs={pair.pair_id: pair for pair in read_pairs(Path(pairs))},
        studied=Studied(settings=study_settings, citation=read_yaml(citation), **of_study),
        template=Path(template).read_text(encoding="utf-8"),
        citation_file=Path(citation),
        folder=Path(folder),
    )


if __name__ == "__main__":
    run_job(main, snakemake)
