"""Tables that come with the study: each cell is checked before they are used."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..corpora import read_rows
from ..errors import InputError
from ..lines import check_columns

FIX = "Restore the file that came with the study."


class Kind(NamedTuple):
    """The format of a column's cells, as a pattern and in words."""

    pattern: re.Pattern[str]
    meaning: str


WORDS = Kind(re.compile(".*", re.DOTALL), "text")
TRUTH = Kind(re.compile("True|False"), "True or False")
# A number with more digits may not fit into 64 bits.
COUNT = Kind(re.compile("[0-9]{1,18}"), "a whole number of at least 0")
KNOWN_COUNT = Kind(re.compile("([0-9]{1,18})?"), "a whole number of at least 0, or nothing")
KNOWN_POINTS = Kind(re.compile(r"([0-9]{1,3}(\.[0-9]+)?)?"), "a number of points, or nothing")
RATE = Kind(re.compile(r"0(\.[0-9]+)?|1(\.0+)?"), "a number from 0 to 1")


def check_table(path: Path, *, columns: Mapping[str, Kind]) -> None:
    """Raise `InputError` unless the CSV file `path` has rows with these columns."""
    rows = 0
    if path.is_file():
        for location, row in read_rows(path):
            rows += 1
            _check_row(row, columns=columns, location=location)
    if not rows:
        raise InputError(
            where=str(path),
            found="no row" if path.is_file() else "no such file",
            expected=f"a table with the columns {', '.join(columns)}",
            fix=FIX,
        )


def _check_row(row: Mapping[str, Any], *, columns: Mapping[str, Kind], location: str) -> None:
    check_columns(row, columns=columns, location=location, fix=FIX)
    for column, kind in columns.items():
        if not kind.pattern.fullmatch(row[column]):
            raise InputError(
                where=f"{location}, column '{column}'",
                found=f"{row[column]!r:.60}",
                expected=kind.meaning,
                fix=FIX,
            )
