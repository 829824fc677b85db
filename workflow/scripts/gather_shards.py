"""Merge the shards of a result."""

from pathlib import Path

import pyarrow.parquet as pq
from hinter.blocks import RowGroups
from hinter.job import logged_to


def main(*, shards: list[str], gathered: str) -> None:
    """Write the rows of all shards, each of which is sorted, to the Parquet `gathered`."""
    with RowGroups(Path(gathered), schema=pq.read_schema(shards[0])) as rows:
        rows.gather(shards)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(shards=list(snakemake.input), gathered=snakemake.output[0])
