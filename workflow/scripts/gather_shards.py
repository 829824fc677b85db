"""Merge the shards of a result."""

from pathlib import Path

import pyarrow.parquet as pq
from hinter.blocks import RowGroups
from hinter.job import run_job


def main(*, shards: list[str], gathered: str) -> None:
    """Write the rows of all shards, each of which is sorted, to the Parquet `gathered`."""
    with RowGroups(Path(gathered), schema=pq.read_schema(shards[0])) as rows:
        rows.gather(shards)


if __name__ == "__main__":
    run_job(main, snakemake)
