"""Put the parts of a dataset's mutants together."""

from pathlib import Path

import pyarrow.parquet as pq
from hinter.job import logged_to
from hinter.mutants import RowGroups, merge_samples, read_tables


def main(
    *,
    parts: list[str],
    part_counts: list[str],
    samples: list[str],
    sample_size: int,
    mutants: str,
    counts: str,
) -> None:
    """Write `mutants`, those listed before those drawn, and `counts`."""
    with RowGroups(Path(mutants), schema=pq.read_schema(parts[0])) as listed:
        for path in parts:
            for table in read_tables(Path(path)):
                listed.write(table)
        listed.write(merge_samples([Path(path) for path in samples], size=sample_size))
    with RowGroups(Path(counts), schema=pq.read_schema(part_counts[0])) as counted:
        for path in part_counts:
            for table in read_tables(Path(path)):
                counted.write(table)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
