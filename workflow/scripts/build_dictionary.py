"""Build the bias dictionary from its curation files and SBIC's counts."""

import logging
from collections.abc import Sequence
from pathlib import Path

from hinter.config import GroupsSheet, read_sheet
from hinter.dictionary import as_rows, build_groups, pairs_of, read_posts, write_rows
from hinter.job import run_job
from hinter.operators import DESCRIPTORS, TERMS
from hinter.paired_sheets import read_paired


def main(
    *,
    posts: str,
    attributes: list[str],
    operators: list[str],
    groups: str,
    pairs: str,
    dictionary: Sequence[str] = (),
    descriptors: Sequence[str] = (),
    own: str | None = None,
    persons: str | None = None,
    merged: Sequence[str] = (),
    own_groups: Sequence[str] = (),
) -> None:
    """Write the terms by group to the CSV `groups` and the word pairs to the CSV `pairs`.

    Each of the `operators` takes them from the curation files of terms in `dictionary`, or from
    the `descriptors` of the nouns in the sheet of `persons`. If there is a CSV `own`, it has the
    pairs of the `attributes` and takes the place of their curation files. The terms of `merged`
    attributes count as those of others. The sheets of `own_groups` add groups.
    """
    sheets = {TERMS: dictionary, DESCRIPTORS: descriptors}
    paired = read_paired(
        operators,
        sheets=sheets,
        persons=persons,
        own=own,
        attributes=attributes,
        merged=merged,
        own_groups={path: read_sheet(path, GroupsSheet) for path in own_groups},
    )
    terms = [
        {**row, "operator": operator}
        for operator, curations in paired.items()
        for row in build_groups(curations, posts=read_posts(Path(posts)))
    ]
    word_pairs = pairs_of(paired)
    write_rows(terms, Path(groups))
    write_rows(as_rows(word_pairs), Path(pairs))
    logging.info("%d terms make %d word pairs", len(terms), len(word_pairs))


if __name__ == "__main__":
    run_job(main, snakemake)
