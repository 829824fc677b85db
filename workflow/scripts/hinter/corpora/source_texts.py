"""Read the texts of a user's file: filter its rows, clean texts, and give them ids and labels."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import MOST_REPORTED, Faults, InputError
from ..lines import Row
from ..markup import without_html
from .labels import LabelColumn, is_empty, plain
from .rows import read_rows
from .texts import Text, text_id

# NUL, and halves of surrogate pairs, which JSON can encode and UTF-8 cannot.
FORBIDDEN = re.compile("[\0\ud800-\udfff]")


@dataclass
class Counts:
    """How many rows of a dataset's file were used or left out, and why."""

    rows: int = 0
    left_out_by_filter: int = 0
    empty: int = 0
    other_labels: int = 0
    longer_than_max_chars: int = 0
    duplicates: int = 0
    texts: int = 0
    with_html: int = 0
    first_empty: list[str] = field(default_factory=list, compare=False)
    """The locations of the first rows without a text."""


class ReadText(NamedTuple):
    """A text, its value in the split column, and the names that a prompt may use for it."""

    text: Text
    part: str | None
    names: tuple[str, ...]


def read_texts(path: Path, *, sheet: Mapping[str, Any], counts: Counts) -> Iterator[ReadText]:
    """Yield the text of each row that matches the sheet's `where`, in the file's order.

    `sheet` is the dataset's entry in the datasets sheet; rows are counted in `counts`, and those
    without a text are left out. A text is named by its original_id, the first 16 hexadecimal digits
    of the SHA-256 of the cleaned text, and, if there is a split column, by `VALUE:ROW`: its number,
    from 0, among the rows with its value that match. Raises `InputError` at the end for all rows
    that cannot be used, and if none has a text.
    """
    accepted = {
        column: {*map(plain, [value] if isinstance(value, str) else value)}
        for column, value in sheet["where"].items()
    }
    named = (sheet["text"], sheet["label"], sheet["split_column"])
    columns = dict.fromkeys([*filter(None, named), *accepted])
    reader, split_column, faults = LabelColumn(sheet), sheet["split_column"], Faults(str(path))
    numbers: Counter[str] = Counter()
    for location, row in read_rows(path, member=sheet["member"], columns=columns, faults=faults):
        counts.rows += 1
        if any(plain(row[column]) not in values for column, values in accepted.items()):
            counts.left_out_by_filter += 1
            continue
        part = None if split_column is None else plain(row[split_column])
        names = () if part is None else (f"{part}:{numbers[part]}",)
        numbers[str(part)] += 1
        with faults.noted():
            cleaned = _cleaned(row, sheet=sheet, location=location, counts=counts)
            if cleaned is not None:
                labels, unknown = reader.read(row, location=location)
                counts.other_labels += unknown
                text = Text(text_id(cleaned), cleaned, labels)
                yield ReadText(text, part, (text.original_id, *names))
    faults.tell()
    if counts.rows == counts.left_out_by_filter + counts.empty:
        raise InputError(
            where=str(path),
            found=f"no text in {counts.rows} rows",
            expected="rows that fit the dataset's `where`",
            fix="Correct the file, or `where` in the datasets sheet.",
        )


def _cleaned(row: Row, *, sheet: Mapping[str, Any], location: str, counts: Counts) -> str | None:
    """Return the text of a row; count it and return None if it is empty."""
    text = row[sheet["text"]]
    if isinstance(text, list) and all(isinstance(paragraph, str) for paragraph in text):
        text = "\n".join(text)
    if isinstance(text, str):
        for old, new in sheet["replacements"].items():
            text = text.replace(old, new)
        text = without_html(text) if sheet["clean"] == "html" else text
    if is_empty(text):
        counts.empty += 1
        counts.first_empty += [location] * (len(counts.first_empty) < MOST_REPORTED)
        return None
    forbidden = FORBIDDEN.search(text) if isinstance(text, str) else None
    if forbidden or not isinstance(text, str):
        raise InputError(
            where=f"{location}, column '{sheet['text']}'",
            found=f"the character U+{ord(forbidden[0]):04X}" if forbidden else f"{text!r:.60}",
            expected="a text",
            fix="Remove or correct that row.",
        )
    return text
