"""Merge the shards of a dataset's mutants."""

from pathlib import Path

from hinter.blocks import gather_shards
from hinter.job import run_job
from hinter.mutants import merge_samples


def main(
    *,
    shards: list[str],
    shard_counts: list[str],
    samples: list[str],
    shard_occurrences: list[str],
    sample_size: int,
    mutants: Path,
    counts: Path,
    occurrences: Path,
) -> None:
    """Write the Parquet files `mutants` (listed before sampled), `counts` and `occurrences`."""
    sampled = merge_samples([Path(path) for path in samples], size=sample_size)
    gather_shards(shards, mutants, further=[sampled])
    gather_shards(shard_counts, counts)
    gather_shards(shard_occurrences, occurrences)


if __name__ == "__main__":
    run_job(main, snakemake)
