"""List the group names in SBIC with the terms of the dictionary that match each."""

import logging
from pathlib import Path

from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import check_curation, list_names, read_posts, settle_groups, write_csv
from hinter.job import run_job


def main(*, curations: list[str], posts: str, names: str) -> None:
    """Write the names to the CSV `names`, first those that no term matches."""
    sheets = [
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)
        for path in curations
    ]
    rows = list_names(settle_groups(sheets), posts=read_posts(Path(posts)))
    write_csv(rows, Path(names))
    logging.info(
        "%d of %d names have an answer", sum(bool(row["groups"]) for row in rows), len(rows)
    )


if __name__ == "__main__":
    run_job(main, snakemake)
