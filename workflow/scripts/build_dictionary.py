"""Build the bias dictionary from its curation files and SBIC's counts."""

import logging
from collections.abc import Sequence
from pathlib import Path

from hinter.config import DescriptorSheet, DictionarySheet, PersonsSheet, read_sheet
from hinter.dictionary import (
    Paired,
    as_rows,
    build_groups,
    build_pairs,
    check_controls,
    check_curation,
    check_descriptions,
    read_own_pairs,
    read_posts,
    settle_groups,
    write_rows,
)
from hinter.job import logged_to


def main(
    *,
    curations: list[str],
    posts: str,
    attributes: list[str],
    groups: str,
    pairs: str,
    own: str | None = None,
    persons: str | None = None,
) -> None:
    """Write the terms by group to the CSV `groups` and the word pairs to the CSV `pairs`.

    The pairs of the `attributes` are those of the CSV `own` if there is one, which then have no
    curation files. Where there is a sheet of `persons`, the `curations` are of their descriptors.
    """
    sheets = _descriptions(curations, persons) if persons else _curations(curations)
    sheets += read_own_pairs(Path(own), attributes=attributes) if own else []
    check_controls(sheets)
    terms = build_groups(sheets, posts=read_posts(Path(posts)))
    word_pairs = build_pairs(sheets)
    write_rows(terms, Path(groups))
    write_rows(as_rows(word_pairs), Path(pairs))
    logging.info("%d terms make %d word pairs", len(terms), len(word_pairs))


def _curations(paths: Sequence[str]) -> list[Paired]:
    read = (
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path) for path in paths
    )
    return [*settle_groups([*read])]


def _descriptions(paths: Sequence[str], persons: str) -> list[Paired]:
    return [
        *check_descriptions(
            {path: read_sheet(path, DescriptorSheet).model_dump() for path in paths},
            persons=read_sheet(persons, PersonsSheet).model_dump(),
            where=persons,
        )
    ]


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
