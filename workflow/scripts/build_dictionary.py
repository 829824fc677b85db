"""Build the bias dictionary from its curation files and SBIC's counts."""

import logging
from pathlib import Path

from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import (
    as_rows,
    build_groups,
    build_pairs,
    check_controls,
    check_curation,
    read_posts,
    write_rows,
)
from hinter.job import logged_to


def main(*, curations: list[str], posts: str, groups: str, pairs: str) -> None:
    """Write the terms by group to the CSV `groups` and the word pairs to the CSV `pairs`."""
    sheets = [
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)
        for path in curations
    ]
    check_controls(sheets)
    terms = build_groups(sheets, posts=read_posts(Path(posts)))
    word_pairs = build_pairs(sheets)
    write_rows(terms, Path(groups))
    write_rows(as_rows(word_pairs), Path(pairs))
    logging.info("%d terms make %d word pairs", len(terms), len(word_pairs))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
