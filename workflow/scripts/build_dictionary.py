"""Build the bias dictionary from its curation files and SBIC's counts."""

import logging
from pathlib import Path

from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import (
    Paired,
    as_rows,
    build_groups,
    build_pairs,
    check_controls,
    check_curation,
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
) -> None:
    """Write the terms by group to the CSV `groups` and the word pairs to the CSV `pairs`.

    The pairs of the `attributes` are those of the CSV `own` if there is one, which then have no
    curation files.
    """
    read = [
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)
        for path in curations
    ]
    sheets: list[Paired] = [*settle_groups(read)]
    sheets += read_own_pairs(Path(own), attributes=attributes) if own else []
    check_controls(sheets)
    terms = build_groups(sheets, posts=read_posts(Path(posts)))
    word_pairs = build_pairs(sheets)
    write_rows(terms, Path(groups))
    write_rows(as_rows(word_pairs), Path(pairs))
    logging.info("%d terms make %d word pairs", len(terms), len(word_pairs))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
