"""Row groups: the same bytes however the rows come."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, cycle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.blocks import ROWS_PER_GROUP, RowGroups, read_tables

pytestmark = pytest.mark.long

SCHEMA = pa.schema(
    [("id", pa.string()), ("order", pa.int8()), ("pair_ids", pa.list_(pa.string()))],
    metadata={"parser": "spacy"},
)


def _rows(number: int) -> pa.Table:
    """Rows as varied as those of mutants."""
    rows = range(number)
    return pa.table(
        {
            "id": [f"{row // 50:016x}|gender:man>woman{row % 97}|race:{row}" for row in rows],
            "order": pa.array([row % 4 for row in rows], type=pa.int8()),
            "pair_ids": [["gender:man", f"race:{row}"][: row % 3] for row in rows],
        },
        schema=SCHEMA,
    )


def _cut(table: pa.Table, sizes: Iterable[int]) -> Iterator[pa.Table]:
    """Yield the rows in tables of the given sizes, over and over."""
    start = 0
    for size in cycle(sizes):
        yield table.slice(start, size)
        start += size
        if start >= table.num_rows:
            return


def _write(path: Path, tables: Iterable[pa.Table], *, schema: pa.Schema = SCHEMA) -> Path:
    with RowGroups(path, schema=schema) as groups:
        for table in tables:
            groups.write(table)
    return path


def _groups(path: Path) -> list[int]:
    metadata = pq.ParquetFile(path).metadata
    return [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rows.parquet"


@pytest.mark.parametrize("number", [0, 1, 6, 7, 8, 14, 50])
@pytest.mark.parametrize("sizes", [(1,), (3,), (7,), (8,), (50,), (0, 5), (20, 1, 0, 2)])
def test_row_groups_are_of_equal_size_however_the_rows_come(
    number: int, sizes: Sequence[int], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hinter.blocks.ROWS_PER_GROUP", 7)
    rows = _rows(number)
    expected = _write(path, [rows]).read_bytes()
    assert _write(path, _cut(rows, sizes)).read_bytes() == expected
    assert _groups(path) == [7] * (number // 7) + [number % 7] * bool(number % 7)
    read = pq.read_table(path)
    assert read == rows
    assert read.schema.metadata == SCHEMA.metadata


@pytest.mark.parametrize("sizes", [(1000,), (777, 5000, 3), (ROWS_PER_GROUP,), (1500, 20_001)])
def test_full_row_groups_are_the_same_bytes_however_the_rows_come(
    sizes: Sequence[int], path: Path
) -> None:
    rows = _rows(ROWS_PER_GROUP + 30_000)
    expected = hashlib.sha256(_write(path, [rows]).read_bytes()).hexdigest()
    assert _groups(path) == [ROWS_PER_GROUP, 30_000]
    assert hashlib.sha256(_write(path, _cut(rows, sizes)).read_bytes()).hexdigest() == expected


@pytest.mark.parametrize("sizes", [(1,), (3,), (50,), (0, 5), (20, 1, 0, 2)])
def test_row_groups_end_before_their_lists_have_many_values(
    sizes: Sequence[int], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hinter.blocks.ROWS_PER_GROUP", 7)
    monkeypatch.setattr("hinter.blocks.VALUES_PER_GROUP", 5)
    rows = _rows(50)
    expected = _write(path, [rows]).read_bytes()
    assert _write(path, _cut(rows, sizes)).read_bytes() == expected
    assert pq.read_table(path) == rows
    tables = list(read_tables(path))
    values = [sum(map(len, table["pair_ids"].to_pylist())) for table in tables]
    assert {5, 6} >= set(values[:-1])
    assert values[-1] <= 6


def test_no_rows_make_an_empty_file(path: Path) -> None:
    read = pq.read_table(_write(path, []))
    assert read == SCHEMA.empty_table()
    assert read.schema.metadata == SCHEMA.metadata
    assert (_groups(path), list(read_tables(path))) == ([], [])


def test_tables_are_read_in_order_and_some_at_a_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hinter.blocks.ROWS_PER_GROUP", 7)
    rows = _rows(50)
    # Groups of another size than what is read at once.
    pq.write_table(rows, path, row_group_size=11)
    tables = list(read_tables(path))
    assert max(table.num_rows for table in tables) <= 7
    assert pa.concat_tables(tables) == rows


def test_shards_put_together_are_the_same_bytes_for_any_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hinter.blocks.ROWS_PER_GROUP", 7)
    rows = _rows(50)
    together = []
    for lengths in [(50,), (10, 0, 33, 7), (0, 7, 43), (25, 25)]:
        shards = [
            _write(tmp_path / f"shard{shard}.parquet", [rows.slice(sum(lengths[:shard]), length)])
            for shard, length in enumerate(lengths)
        ]
        tables = chain.from_iterable(map(read_tables, shards))
        path = _write(tmp_path / "rows.parquet", tables, schema=pq.read_schema(shards[0]))
        assert pq.read_table(path) == rows
        together.append(path.read_bytes())
    assert together == together[:1] * len(together)
