"""Merge the shards of a dataset's mutants."""

from pathlib import Path

import pyarrow.parquet as pq
from hinter.blocks import RowGroups
from hinter.job import run_job
from hinter.mutants import OCCURRENCES_SCHEMA, merge_samples


def main(
    *,
    shards: list[str],
    shard_counts: list[str],
    samples: list[str],
    shard_occurrences: list[str],
    sample_size: int,
    mutants: str,
    counts: str,
    occurrences: str,
) -> None:
    """Write the Parquet files `mutants` (listed before sampled), `counts` and `occurrences`."""
    with RowGroups(Path(mutants), schema=pq.read_schema(shards[0])) as listed:
        listed.gather(shards)
        listed.write(merge_samples([Path(path) for path in samples], size=sample_size))
    with RowGroups(Path(counts), schema=pq.read_schema(shard_counts[0])) as counted:
        counted.gather(shard_counts)
    with RowGroups(Path(occurrences), schema=OCCURRENCES_SCHEMA) as ruled:
        ruled.gather(shard_occurrences)


if __name__ == "__main__":
    run_job(main, snakemake)
