"""Read and write files that are too large for memory: in blocks of originals, and in row groups.

Results for a mutant depend only on its original and the other mutants of that original. So blocks
of whole originals can be processed one after the other, and the resulting file does not depend on
the division.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

ROWS_PER_GROUP = 131_072
VALUES_PER_GROUP = 1 << 23
"""Values in the lists of a row group: mutants of a long text have thousands of edits each."""

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
"""The condition of a query for the rows of the current block."""
INPUTS_OF_BLOCK = "input_id >= getvariable('first') AND input_id < getvariable('past')"
"""The same for rows of originals and mutants with an input_id. A few other rows may fulfil it."""


def blocks_of_originals(
    connection: duckdb.DuckDBPyConnection, *, rows: str, at_once: int, size: str = "count(*)"
) -> Iterator[None]:
    """Iterate over blocks of originals, in the order of original_id, as the current block.

    `rows` is the relation with the originals, `size` an expression for the size of one of them.
    The size of a block is about `at_once`, unless it has only one original.
    """
    query = BLOCKS.format(rows=rows, size=size, at_once=at_once)
    for block in connection.execute(query).fetchall():
        for name, bound in zip(("first", "last", "past"), block, strict=True):
            connection.execute(f"SET VARIABLE {name} = ?", [bound])
        yield


class RowGroups(AbstractContextManager["RowGroups"]):
    """A Parquet file in row groups that do not depend on the sizes of the tables written.

    A group ends with the row that brings it to `ROWS_PER_GROUP` rows, or to `VALUES_PER_GROUP`
    values in lists.
    """

    def __init__(self, path: Path, *, schema: pa.Schema) -> None:
        self.schema = schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._waiting: list[pa.Table] = []
        self._rows = self._values = 0

    def __exit__(self, *_: object) -> None:
        """Write the remaining rows and close the file."""
        if self._rows:
            self._write(pa.concat_tables(self._waiting))
        self._writer.close()

    def write(self, table: pa.Table) -> None:
        """Add the rows of a table."""
        self._waiting.append(table)
        self._rows += table.num_rows
        self._values += int(_values(table).sum())
        if self._rows >= ROWS_PER_GROUP or self._values >= VALUES_PER_GROUP:
            waiting = pa.concat_tables(self._waiting)
            start = 0
            for end in _ends_of_groups(_values(waiting)):
                self._write(waiting.slice(start, end - start))
                start = end
            rest = waiting.slice(start)
            self._waiting, self._rows = [rest], rest.num_rows
            self._values = int(_values(rest).sum())

    def _write(self, group: pa.Table) -> None:
        # Pages follow the chunks of a table: in one chunk, they do not depend on earlier divisions.
        self._writer.write_table(group.combine_chunks())


def gather_shards(
    shards: Iterable[str], gathered: Path, *, further: Iterable[pa.Table] = ()
) -> None:
    """Write the rows of Parquet files, one after the other, and of `further` tables to one file.

    The first of the `shards` has its schema.
    """
    paths = list(shards)
    with RowGroups(gathered, schema=pq.read_schema(paths[0])) as rows:
        for table in chain(*map(read_tables, map(Path, paths)), further):
            rows.write(table)


def read_tables(path: Path) -> Iterator[pa.Table]:
    """Yield the rows of a Parquet file in tables of at most `ROWS_PER_GROUP`, one group each."""
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        for batch in file.iter_batches(ROWS_PER_GROUP, row_groups=[group]):
            yield pa.Table.from_batches([batch])


def _values(table: pa.Table) -> npt.NDArray[np.int64]:
    """Return the number of values in the lists of each row."""
    values = np.zeros(table.num_rows, dtype=np.int64)
    for column in table.columns:
        if pa.types.is_list(column.type):
            values += pc.fill_null(pc.list_value_length(column), 0).to_numpy()
    return values


def _ends_of_groups(values: npt.NDArray[np.int64]) -> Iterator[int]:
    """Yield the end of each complete group, given the numbers of values of all rows."""
    before, so_far = 0, values.cumsum()
    start = 0
    while start < len(values):
        full = int(np.searchsorted(so_far, before + VALUES_PER_GROUP)) + 1
        end = min(full, start + ROWS_PER_GROUP)
        if end > len(values):
            return
        yield end
        start, before = end, int(so_far[end - 1])
