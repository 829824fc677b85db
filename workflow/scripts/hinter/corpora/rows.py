"""Rows of a user's file, each with its place: CSV, JSON lines, Parquet, archives."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import InputError, encoding_error
from .archives import SUFFIX, decoded_lines, folders_of, open_members, readable

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]


def read_rows(path: Path, *, member: str | None = None) -> Rows:
    """Yield (place, row) for each row of `path`, streaming; the place names file and line.

    For an archive, `member` is the name of the file inside, or a pattern of names (see
    `open_members`): CSV and JSON lines yield their rows; every other file is a text and yields one
    row with the columns `text`, `folder`, `folder_1`, `folder_2`, ... Raises `InputError` for a
    missing file, an unknown suffix, text that is not UTF-8, a line that is not a JSON object, or a
    CSV line with a wrong number of fields.
    """
    suffix = SUFFIX if path.name.endswith(SUFFIX) else path.suffix
    _check_file(path, suffix=suffix)
    _check_member(member, path=path, archived=suffix == SUFFIX)
    if member is not None:
        yield from _archived_rows(path, pattern=member)
    elif suffix in LINE_READERS:
        yield from _lined_rows(path)
    else:
        yield from _parquet_rows(path)


def _check_file(path: Path, *, suffix: str) -> None:
    known = [*LINE_READERS, ".parquet", SUFFIX]
    if suffix not in known or not path.is_file():
        raise InputError(
            where=str(path),
            found=f"a file of kind '{suffix}'" if path.is_file() else "no such file",
            expected=f"a dataset file ({', '.join(known)})",
            fix="Correct the dataset's `file` in the datasets sheet.",
        )


def _check_member(member: str | None, *, path: Path, archived: bool) -> None:
    if (member is not None) != archived:
        raise InputError(
            where=str(path),
            found=f"the member '{member}'" if member is not None else "no `member`",
            expected="the name of a file inside, if the file is an archive",
            fix="Correct `member` in the datasets sheet.",
        )


def _lined_rows(path: Path) -> Rows:
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            yield from LINE_READERS[path.suffix](lines, str(path))
    except UnicodeDecodeError:
        raise encoding_error(path) from None


def _archived_rows(path: Path, *, pattern: str) -> Rows:
    with readable(path):
        for name, content in open_members(path, pattern=pattern):
            place = f"{path}, member {name}"
            lines = decoded_lines(content, place=place)
            if name.suffix in LINE_READERS:
                yield from LINE_READERS[name.suffix](lines, place)
            else:
                yield place, folders_of(name) | {"text": "".join(lines)}


def _csv_rows(lines: Iterable[str], where: str) -> Rows:
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader(lines, strict=True)
    place = f"{where}, line 1"
    try:
        header = next(reader, [])
        _check_header(header, place=place)
        place = f"{where}, line {reader.line_num + 1}"
        for fields in reader:
            # The csv module returns an empty list for an empty line.
            if fields:
                _check_fields(fields, header=header, place=place)
                yield place, dict(zip(header, fields, strict=True))
            place = f"{where}, line {reader.line_num + 1}"
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


def _json_rows(lines: Iterable[str], where: str) -> Rows:
    for number, line in enumerate(lines, start=1):
        place = f"{where}, line {number}"
        try:
            row = json.loads(line)
            found = f"{line.strip():.60}"
        except json.JSONDecodeError as error:
            row, found = None, f"broken JSON ({error.msg} at column {error.colno})"
        # A number of thousands of digits, or thousands of nested brackets.
        except (ValueError, RecursionError) as error:
            row, found = None, f"JSON that cannot be read ({error})"
        if not isinstance(row, dict):
            raise InputError(
                where=place,
                found=found,
                expected="one JSON object per line",
                fix="Correct that line.",
            )
        yield place, row


def _parquet_rows(path: Path) -> Rows:
    number = 0
    try:
        for batch in pq.ParquetFile(path).iter_batches(batch_size=1000):
            for row in batch.to_pylist():
                number += 1
                yield f"{path}, row {number}", row
    # For damage inside the file, Arrow raises an OSError.
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            where=str(path),
            found=" ".join(str(error).split()),
            expected="a Parquet file",
            fix="Write the file again.",
        ) from None


LINE_READERS: dict[str, Callable[[Iterable[str], str], Rows]] = {
    ".csv": _csv_rows,
    ".jsonl": _json_rows,
}
