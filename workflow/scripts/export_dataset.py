"""Write the data of a study as a dataset for publication, with its card."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hinter.dictionary import read_pairs
from hinter.exports import Studied, write_dataset
from hinter.job import run_job
from hinter.tables import read_parts
from hinter.yaml_files import read_yaml


def main(
    *,
    pairs: str,
    citation: str,
    template: str,
    studied: Mapping[str, Any],
    folder: str,
    **results: Sequence[str],
) -> None:
    """Write the dataset into `folder`, with a card made from the `template`.

    `studied` has the fields of `Studied` but the citation, and `results` are those of
    `write_dataset`.
    """
    write_dataset(
        {name: read_parts(paths) for name, paths in results.items()},
        pairs={pair.pair_id: pair for pair in read_pairs(Path(pairs))},
        studied=Studied(citation=read_yaml(citation), **studied),
        template=Path(template).read_text(encoding="utf-8"),
        citation_file=Path(citation),
        folder=Path(folder),
    )


if __name__ == "__main__":
    run_job(main, snakemake)
