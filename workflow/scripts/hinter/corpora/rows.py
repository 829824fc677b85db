"""Rows of a user's file with the place where each stands: CSV, JSON lines or Parquet."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ..errors import InputError

Row = dict[str, Any]


def read_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Yield (place, row) for each row of `path`, streaming; the place names file and line.

    Raises `InputError` for a missing file, an unknown suffix, text that is not UTF-8, a line that
    is no JSON object, or a CSV line with a wrong number of fields.
    """
    reader = READERS.get(path.suffix)
    if reader is None or not path.is_file():
        raise InputError(
            where=str(path),
            found=f"a file of kind '{path.suffix}'" if path.is_file() else "no such file",
            expected=f"a dataset file ({', '.join(READERS)})",
            fix="Correct the dataset's `file` in the datasets sheet.",
        )
    try:
        yield from reader(path)
    except UnicodeDecodeError as error:
        raise InputError(
            where=f"{path}, byte {error.start}",
            found=f"the byte 0x{error.object[error.start]:02x}",
            expected="UTF-8 text",
            fix="Convert the file to UTF-8.",
        ) from None


def _csv_rows(path: Path) -> Iterator[tuple[str, Row]]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey="", restval=None)
        for row in reader:
            place = f"{path}, line {reader.line_num}"
            if "" in row or None in row.values():
                raise InputError(
                    where=place,
                    found=f"{'more' if '' in row else 'fewer'} fields than the header",
                    expected=f"the {len(reader.fieldnames or ())} fields of the header",
                    fix="Quote fields that hold commas or line breaks.",
                )
            yield place, row


def _json_rows(path: Path) -> Iterator[tuple[str, Row]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            place = f"{path}, line {number}"
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                row = error.msg
            if not isinstance(row, dict):
                raise InputError(
                    where=place,
                    found=repr(row)[:80],
                    expected="one JSON object per line",
                    fix="Correct that line.",
                )
            yield place, row


def _parquet_rows(path: Path) -> Iterator[tuple[str, Row]]:
    number = 0
    for batch in pq.ParquetFile(path).iter_batches(batch_size=1000):
        for row in batch.to_pylist():
            number += 1
            yield f"{path}, row {number}", row


READERS: dict[str, Callable[[Path], Iterator[tuple[str, Row]]]] = {
    ".csv": _csv_rows,
    ".jsonl": _json_rows,
    ".parquet": _parquet_rows,
}
