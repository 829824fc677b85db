"""Build the bias dictionary from its curation files and SBIC's counts."""

import logging
from pathlib import Path

from hinter.dictionary import as_rows, build_groups, build_pairs, read_posts, write_rows
from hinter.job import logged_to
from hinter.paired_sheets import read_paired


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
    sheets = read_paired(curations, persons=persons, own=own, attributes=attributes)
    terms = build_groups(sheets, posts=read_posts(Path(posts)))
    word_pairs = build_pairs(sheets)
    write_rows(terms, Path(groups))
    write_rows(as_rows(word_pairs), Path(pairs))
    logging.info("%d terms make %d word pairs", len(terms), len(word_pairs))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
