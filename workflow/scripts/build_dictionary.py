"""Build the bias dictionary from its curation files and SBIC's counts."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hinter.config import GroupsSheet, read_sheet
from hinter.dictionary import as_rows, build_groups, pairs_of, read_posts, write_csv
from hinter.job import run_job
from hinter.operators import DESCRIPTORS, TERMS
from hinter.paired_sheets import read_paired


def main(
    *,
    posts: str,
    groups: str,
    pairs: str,
    dictionary: Sequence[str] = (),
    descriptors: Sequence[str] = (),
    own_groups: Sequence[str] = (),
    **settings: Any,
) -> None:
    """Write the terms by group to the CSV `groups` and the word pairs to the CSV `pairs`.

    Each operator takes them from the curation files of terms in `dictionary`, or from the
    `descriptors` of nouns. The sheets of `own_groups` add groups. The rest are arguments of
    `read_paired`.
    """
    paired = read_paired(
        sheets={TERMS: dictionary, DESCRIPTORS: descriptors},
        own_groups={path: read_sheet(path, GroupsSheet) for path in own_groups},
        **settings,
    )
    terms = [
        {**row, "operator": operator}
        for operator, curations in paired.items()
        for row in build_groups(curations, posts=read_posts(Path(posts)))
    ]
    word_pairs = pairs_of(paired)
    write_csv(terms, Path(groups))
    write_csv(as_rows(word_pairs), Path(pairs))
    logging.info("%d terms make %d word pairs", len(terms), len(word_pairs))


if __name__ == "__main__":
    run_job(main, snakemake)
