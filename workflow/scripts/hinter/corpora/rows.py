"""Rows of a user's file with the place where each stands: CSV, JSON lines or Parquet."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import InputError, encoding_error

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
    except UnicodeDecodeError:
        raise encoding_error(path) from None


def _csv_rows(path: Path) -> Iterator[tuple[str, Row]]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        place = f"{path}, line 1"
        try:
            header = next(reader, [])
            _check_header(header, place=place)
            place = f"{path}, line {reader.line_num + 1}"
            for fields in reader:
                # The csv module makes an empty list of an empty line.
                if fields:
                    _check_fields(fields, header=header, place=place)
                    yield place, dict(zip(header, fields, strict=True))
                place = f"{path}, line {reader.line_num + 1}"
        except csv.Error as error:
            raise InputError(
                where=place,
                found=f"broken quotes ({error})",
                expected="a row of CSV",
                fix="Close every quote, and write a quote inside a quoted field twice.",
            ) from None


def _check_header(header: list[str], *, place: str) -> None:
    for column in header:
        if header.count(column) > 1:
            raise InputError(
                where=place,
                found=f"the column '{column}' twice",
                expected="distinct columns",
                fix="Rename or remove one of them.",
            )


def _check_fields(fields: list[str], *, header: list[str], place: str) -> None:
    if len(fields) != len(header):
        raise InputError(
            where=place,
            found=f"{len(fields)} fields",
            expected=f"the {len(header)} fields of the header",
            fix="Quote fields that hold commas or line breaks.",
        )


def _json_rows(path: Path) -> Iterator[tuple[str, Row]]:
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            place = f"{path}, line {number}"
            try:
                row = json.loads(line)
                found = f"{line.strip():.60}"
            except json.JSONDecodeError as error:
                row, found = None, f"broken JSON ({error.msg} at column {error.colno})"
            if not isinstance(row, dict):
                raise InputError(
                    where=place,
                    found=found,
                    expected="one JSON object per line",
                    fix="Correct that line.",
                )
            yield place, row


def _parquet_rows(path: Path) -> Iterator[tuple[str, Row]]:
    number = 0
    try:
        for batch in pq.ParquetFile(path).iter_batches(batch_size=1000):
            for row in batch.to_pylist():
                number += 1
                yield f"{path}, row {number}", row
    except pa.ArrowInvalid as error:
        raise InputError(
            where=str(path),
            found=" ".join(str(error).split()),
            expected="a Parquet file",
            fix="Write the file anew.",
        ) from None


READERS: dict[str, Callable[[Path], Iterator[tuple[str, Row]]]] = {
    ".csv": _csv_rows,
    ".jsonl": _json_rows,
    ".parquet": _parquet_rows,
}
