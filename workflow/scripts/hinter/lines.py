"""Read the lines of text files, and the rows of CSV and JSON, each with its location."""

import codecs
import csv
import io
import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any

from .errors import Faults, InputError

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]
DELIMITERS = ",;\t|"
BLANK = f"{DELIMITERS} \r\n"
"""The characters of lines without content."""
# A first line that Excel understands and some programs write.
NAMED_DELIMITER = re.compile(r'\s*"?sep *= *([^\r\n])"?\s*', re.IGNORECASE)
BYTE_ORDER_MARK = "\ufeff"
BINARY = re.compile(rb"(?:[^\n]*?[\0\2-\x08\x0e-\x1a]){2}")
"""The beginning of a file whose first line is no text, or is UTF-16 without its mark."""
UNDECODED = re.compile("[\udc80-\udcff]")
"""The characters that replace bytes that are not UTF-8."""


_undecoded = partial(
    InputError, expected="UTF-8 text", fix="Convert the file to UTF-8, or save it as text."
)


def decoded_lines(content: IO[bytes], *, location: str) -> Iterator[str]:
    r"""Yield the lines of UTF-8 text, each with its own line break (`\n`, `\r\n` or `\r`).

    Text in UTF-16 begins with its mark. Closes the `content`. Raises `InputError` for other bytes;
    `location` names the text in its message.
    """
    buffered = io.BufferedReader(content)  # type: ignore[type-var]
    start = buffered.peek(1 << 10)
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide and BINARY.match(start):
        found = f"a file that is no text (it begins with {start[:8]!r})"
        raise _undecoded(where=location, found=found)
    encoding = "utf-16" if wide else "utf-8-sig"
    number = 1
    try:
        with io.TextIOWrapper(buffered, encoding, errors="surrogateescape", newline="") as lines:
            for number, line in enumerate(lines, start=1):
                wrong = None if line.isascii() else UNDECODED.search(line)
                if wrong:
                    byte = ord(wrong[0]) - 0xDC00
                    at = f"{location}, line {number}"
                    raise _undecoded(where=at, found=f"the byte 0x{byte:02x}")
                yield line
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        at = f"{location}, line {number}"
        raise _undecoded(where=at, found=f"the byte 0x{byte:02x}") from None


def read_text(path: Path) -> str:
    """Return the text in a file; raise `InputError` if it is not UTF-8."""
    with path.open("rb") as file:
        return "".join(decoded_lines(file, location=str(path)))


def check_columns(
    found: Collection[str],
    *,
    columns: Iterable[str],
    location: str,
    fix: str = "Correct `text`, `label`, `split_column` or `where` in the datasets sheet.",
) -> None:
    """Raise `InputError` if one of the `columns` was not found."""
    for column in columns:
        if column not in found:
            raise InputError(
                where=location,
                found=f"the columns {', '.join(found)}",
                expected=f"a column '{column}'",
                fix=fix,
            )


def check_header(header: list[str], *, columns: Collection[str], location: str) -> None:
    """Raise `InputError` if one of the `columns` (or of all) is twice in the header, or missing."""
    for column in columns or filter(None, header):
        if header.count(column) > 1:
            raise InputError(
                where=location,
                found=f"the column '{column}' twice",
                expected="distinct columns",
                fix="Rename or remove one of them.",
            )
    if header:
        check_columns(header, columns=columns, location=location)


def csv_rows(lines: Iterator[str], *, where: str, columns: Collection[str], faults: Faults) -> Rows:
    """Yield (location, row) for each row of CSV, which has all `columns`.

    The delimiter is given by a first line `sep=`, or inferred from the header. Rows that cannot be
    parsed are added to `faults`. Raises `InputError` for a header that cannot be used.
    """
    csv.field_size_limit(sys.maxsize)
    first, number, named = _beginning(lines)
    delimiter = named or _delimiter_of(first, columns=columns)
    reader = csv.reader(
        chain([first], lines),
        delimiter=delimiter,
        # In other lines, the space may belong to a text.
        skipinitialspace=f'{delimiter} "' in first,
        strict=True,
    )
    location = f"{where}, line {number}"
    header = [*map(_column, _fields(reader, location=location) or [])]
    check_header(header, columns=columns, location=location)
    while True:
        location = f"{where}, line {reader.line_num + number}"
        with faults.noted():
            fields = _fields(reader, location=location)
            if fields is None:
                return
            while len(fields) > len(header) and not fields[-1].strip():
                fields.pop()
            # Skip empty lines, and those that spreadsheets write below a table.
            if len(fields) == len(header) or any(map(str.strip, fields)):
                _check_fields(fields, header=header, location=location)
                yield location, dict(zip(header, fields, strict=True))


def _beginning(lines: Iterator[str]) -> tuple[str, int, str | None]:
    """Return the first line with content, its number, and the delimiter that a line names."""
    delimiter = None
    for number, line in enumerate(lines, start=1):
        named = NAMED_DELIMITER.fullmatch(line)
        if named:
            delimiter = named[1]
        elif line.strip(BLANK):
            return line, number, delimiter
    return "", 1, delimiter


def _column(field: str) -> str:
    """Return the name of a column without the marks that joined files have inside."""
    return field.replace(BYTE_ORDER_MARK, "").strip()


def _delimiter_of(header: str, *, columns: Collection[str]) -> str:
    """Return the delimiter with which most of the columns are found, or else most columns arise."""

    def fitness(delimiter: str) -> tuple[int, int]:
        reader = csv.reader([header.partition("\r")[0]], delimiter=delimiter)
        fields = [*map(_column, next(reader))]
        return len(set(columns).intersection(fields)), len(fields)

    return max(DELIMITERS, key=fitness)


def _fields(reader: Iterator[list[str]], *, location: str) -> list[str] | None:
    """Return the next row, or None after the last one."""
    try:
        return next(reader, None)
    except csv.Error as error:
        raise InputError(
            where=location,
            found=f"broken quotes ({error})",
            expected="a row of CSV",
            fix="Close every quote, and double every quote inside a quoted field.",
        ) from None


def _check_fields(fields: list[str], *, header: list[str], location: str) -> None:
    if len(fields) != len(header):
        raise InputError(
            where=location,
            found=f"{len(fields)} fields",
            expected=f"the {len(header)} fields of the header",
            fix="Quote fields that contain the delimiter or line breaks.",
        )
    if all(_column(field) == column for field, column in zip(fields, header, strict=True)):
        raise InputError(
            where=location,
            found="the header again",
            expected="a row",
            fix="Remove that line. Files need not be joined: a pattern may name several.",
        )


_no_object = partial(InputError, expected="one JSON object per line", fix="Correct that line.")


def json_rows(
    lines: Iterator[str], *, where: str, columns: Collection[str], faults: Faults
) -> Rows:
    """Yield (location, row) for each object: one per line, or all in one array."""
    for location, value in _json_values(lines, where=where, faults=faults):
        with faults.noted():
            if not isinstance(value, dict):
                raise _no_object(where=location, found=f"{json.dumps(value):.60}")
            check_columns(value, columns=columns, location=location)
            yield location, value


def _json_values(
    lines: Iterator[str], *, where: str, faults: Faults
) -> Iterator[tuple[str, object]]:
    filled = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    for earlier, (number, line) in enumerate(filled):
        if not earlier and line.lstrip().startswith("["):
            whole = "".join(["\n" * (number - 1), line, *lines])
            for record, value in enumerate(_parsed(whole, location=where), start=1):
                yield f"{where}, record {record}", value
            return
        location = f"{where}, line {number}"
        with faults.noted():
            yield location, _parsed(line, location=location)


def _parsed(text: str, *, location: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        found = f"broken JSON ({error.msg} at {line}column {error.colno})"
    # Keys twice, numbers with thousands of digits, and thousands of nested brackets.
    except (ValueError, RecursionError) as error:
        found = f"JSON that cannot be read ({error})"
    raise _no_object(where=location, found=found)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError("a key is there twice")
    return row
