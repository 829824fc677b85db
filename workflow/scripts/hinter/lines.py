"""Read the rows of text tables, CSV and JSON lines, each with its location."""

import csv
import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import Any

from .errors import Faults, InputError, undecoded

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]
DELIMITERS = ",;\t|"
# A first line that Excel understands and some programs write.
NAMED_DELIMITER = re.compile(r'"?sep=(.)"?[\r\n]*')


def decoded_lines(content: Iterable[bytes], *, place: str) -> Iterator[str]:
    r"""Yield the lines of UTF-8 text, each with its own line break (`\n` or `\r\n`).

    Raises `InputError` for other bytes; `place` names the text in its message.
    """
    for number, line in enumerate(content, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise undecoded(error, where=f"{place}, line {number}") from None


def check_columns(found: Collection[str], *, columns: Iterable[str], place: str) -> None:
    """Raise `InputError` if one of the `columns` of a dataset was not found."""
    for column in columns:
        if column not in found:
            raise InputError(
                where=place,
                found=f"the columns {', '.join(found)}",
                expected=f"a column '{column}'",
                fix="Correct `text`, `label`, `split_column` or `where` in the datasets sheet.",
            )


def csv_rows(lines: Iterator[str], *, where: str, columns: Collection[str], faults: Faults) -> Rows:
    """Yield (place, row) for each row of CSV, which has all `columns`.

    The delimiter is given by a first line `sep=`, or inferred from the header. Rows that cannot be
    parsed are added to `faults`. Raises `InputError` for a header that cannot be used.
    """
    csv.field_size_limit(sys.maxsize)
    first, number = next(lines, ""), 1
    named = NAMED_DELIMITER.fullmatch(first)
    if named:
        first, number = next(lines, ""), 2
    delimiter = named[1] if named else _delimiter_of(first, columns=columns)
    reader = csv.reader(
        chain([first], lines),
        delimiter=delimiter,
        # In other lines, the space may belong to a text.
        skipinitialspace=f'{delimiter} "' in first,
        strict=True,
    )
    place = f"{where}, line {number}"
    header = [column.strip() for column in _fields(reader, place=place) or []]
    _check_header(header, columns=columns, place=place)
    while True:
        place = f"{where}, line {reader.line_num + number}"
        with faults.noted():
            fields = _fields(reader, place=place)
            if fields is None:
                return
            while len(fields) > len(header) and not fields[-1].strip():
                fields.pop()
            # Skip empty lines, and those that spreadsheets write below a table.
            if len(fields) == len(header) or any(map(str.strip, fields)):
                _check_fields(fields, header=header, place=place)
                yield place, dict(zip(header, fields, strict=True))


def _delimiter_of(header: str, *, columns: Collection[str]) -> str:
    """Return the delimiter with which most of the columns are found, or else most columns arise."""

    def fitness(delimiter: str) -> tuple[int, int]:
        reader = csv.reader([header.partition("\r")[0]], delimiter=delimiter)
        fields = [field.strip() for field in next(reader)]
        return len(set(columns).intersection(fields)), len(fields)

    return max(DELIMITERS, key=fitness)


def _fields(reader: Iterator[list[str]], *, place: str) -> list[str] | None:
    """Return the next row, or None after the last one."""
    try:
        return next(reader, None)
    except csv.Error as error:
        raise InputError(
            where=place,
            found=f"broken quotes ({error})",
            expected="a row of CSV",
            fix="Close every quote, and double every quote inside a quoted field.",
        ) from None


def _check_header(header: list[str], *, columns: Collection[str], place: str) -> None:
    for column in columns or filter(None, header):
        if header.count(column) > 1:
            raise InputError(
                where=place,
                found=f"the column '{column}' twice",
                expected="distinct columns",
                fix="Rename or remove one of them.",
            )
    if header:
        check_columns(header, columns=columns, place=place)


def _check_fields(fields: list[str], *, header: list[str], place: str) -> None:
    if len(fields) != len(header):
        raise InputError(
            where=place,
            found=f"{len(fields)} fields",
            expected=f"the {len(header)} fields of the header",
            fix="Quote fields that contain the delimiter or line breaks.",
        )


def _json_rows(
    lines: Iterator[str], *, where: str, columns: Collection[str], faults: Faults
) -> Rows:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            place = f"{where}, line {number}"
            with faults.noted():
                row = _json_row(line, place=place)
                check_columns(row, columns=columns, place=place)
                yield place, row


def _json_row(line: str, *, place: str) -> Row:
    try:
        row = json.loads(line)
        found = f"{line.strip():.60}"
    except json.JSONDecodeError as error:
        row, found = None, f"broken JSON ({error.msg} at column {error.colno})"
    # Numbers with thousands of digits, and thousands of nested brackets.
    except (ValueError, RecursionError) as error:
        row, found = None, f"JSON that cannot be read ({error})"
    if not isinstance(row, dict):
        raise InputError(
            where=place, found=found, expected="one JSON object per line", fix="Correct that line."
        )
    return row


LINE_READERS: dict[str, Callable[..., Rows]] = {
    ".csv": csv_rows,
    ".jsonl": _json_rows,
    ".ndjson": _json_rows,
    ".tsv": csv_rows,
}
