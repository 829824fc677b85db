"""Files too large for memory, in blocks: whole originals when read, equal row groups when written.

What is said of a mutant depends on its original and that original's other mutants alone, so blocks
of whole originals can be worked on one after the other, and the file that comes of it does not
depend on them.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

ROWS_PER_GROUP = 131_072

# `past` sorts after the ids of all inputs of a block: `}` sorts after `|`, which ids hold.
BLOCKS = """
    SELECT min(original_id) AS first, max(original_id) AS last, max(original_id || '}}') AS past
    FROM (
        SELECT original_id, sum(size) OVER (ORDER BY original_id) - size AS before
        FROM (SELECT original_id, {size} AS size FROM {rows} GROUP BY original_id)
    )
    GROUP BY before // {at_once} ORDER BY first
"""

OF_BLOCK = "original_id BETWEEN getvariable('first') AND getvariable('last')"
"""The condition of a query that its rows are of the present block."""
INPUTS_OF_BLOCK = "input_id >= getvariable('first') AND input_id < getvariable('past')"
"""The same of rows of originals and mutants with their input_id. It may hold for a few others."""


def blocks_of_originals(
    connection: duckdb.DuckDBPyConnection, *, rows: str, at_once: int, size: str = "count(*)"
) -> Iterator[None]:
    """Make one block of originals after the other the present one, in the order of original_id.

    `rows` is the relation with the originals, `size` an expression for the size of one of them;
    a block has a size of about `at_once`, or one original.
    """
    query = BLOCKS.format(rows=rows, size=size, at_once=at_once)
    for block in connection.execute(query).fetchall():
        for name, bound in zip(("first", "last", "past"), block, strict=True):
            connection.execute(f"SET VARIABLE {name} = ?", [bound])
        yield


class RowGroups:
    """A Parquet file written in row groups of equal size, whatever the sizes of the tables."""

    def __init__(self, path: Path, *, schema: pa.Schema) -> None:
        self.schema = schema
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
