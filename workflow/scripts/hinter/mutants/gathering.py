"""The results of separate jobs on a dataset, merged as if one job had made them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..database import open_database
from .listing import MUTANTS_SCHEMA

ROWS_PER_GROUP = 131_072

# The drawn mutants with the smallest keys over all shards, each with its sub-mutants; a mutant that
# is there several times is kept once.
SAMPLE = """
    WITH rows AS (FROM read_parquet({shards})),
    chosen AS (
        SELECT "order", key FROM rows WHERE drawn
        QUALIFY row_number() OVER (PARTITION BY "order" ORDER BY key, mutant_id) <= {size}
    )
    SELECT rows.* EXCLUDE key FROM rows SEMI JOIN chosen USING (key)
    QUALIFY row_number() OVER (PARTITION BY mutant_id ORDER BY drawn DESC) = 1
    ORDER BY original_id, "order", attributes, mutant_id
"""


class RowGroups:
    """A Parquet file written in row groups of equal size, whatever the sizes of the tables."""

    def __init__(self, path: Path, *, schema: pa.Schema) -> None:
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._waiting: list[pa.Table] = []
        self._rows = 0

    def __enter__(self) -> "RowGroups":
        """Open the file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is left and close the file."""
        if self._rows:
            self._write(pa.concat_tables(self._waiting))
        self._writer.close()

    def write(self, table: pa.Table) -> None:
        """Add the rows of a table."""
        self._waiting.append(table)
        self._rows += table.num_rows
        if self._rows >= ROWS_PER_GROUP:
            waiting = pa.concat_tables(self._waiting)
            whole = self._rows - self._rows % ROWS_PER_GROUP
            for start in range(0, whole, ROWS_PER_GROUP):
                self._write(waiting.slice(start, ROWS_PER_GROUP))
            self._waiting = [waiting.slice(whole)]
            self._rows -= whole

    def gather(self, paths: Iterable[str]) -> None:
        """Add the rows of Parquet files, one file after the other."""
        for path in paths:
            for table in read_tables(Path(path)):
                self.write(table)

    def _write(self, group: pa.Table) -> None:
        # Pages follow the chunks of a table: in one chunk, they do not depend on how the rows came.
        self._writer.write_table(group.combine_chunks())


def read_tables(path: Path) -> Iterator[pa.Table]:
    """Yield the rows of a Parquet file in tables of at most `ROWS_PER_GROUP`."""
    for batch in pq.ParquetFile(path).iter_batches(ROWS_PER_GROUP):
        yield pa.Table.from_batches([batch])


def merge_samples(paths: Sequence[Path], *, size: int) -> pa.Table:
    """Return the sample of a whole dataset (rows of the mutants file), given its shards'."""
    query = SAMPLE.format(shards=[str(path) for path in paths], size=size)
    merged: pa.Table = open_database().sql(query).to_arrow_table()
    return merged.cast(MUTANTS_SCHEMA)
