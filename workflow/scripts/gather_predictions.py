"""Put the shards of a model's predictions together."""

from pathlib import Path

import pyarrow.parquet as pq
from hinter.job import logged_to
from hinter.mutants import RowGroups


def main(*, shards: list[str], predictions: str) -> None:
    """Write the rows of all shards, which are sorted, to `predictions`."""
    with RowGroups(Path(predictions), schema=pq.read_schema(shards[0])) as gathered:
        gathered.gather(shards)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(shards=list(snakemake.input), **snakemake.output)
