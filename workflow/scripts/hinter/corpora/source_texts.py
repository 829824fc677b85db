"""Read the texts of a user's file: filter its rows, clean texts, and give them ids and labels.

Labels in users' files are numbers, booleans, lists, or several in a cell of text.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import MOST_REPORTED, Faults, InputError
from ..lines import Row
from ..markup import without_html
from ..yaml_files import parse_yaml
from .rows import read_rows
from .texts import Text, text_id

WHOLE = re.compile(r"(-?[0-9]+)\.0*")
LISTED = re.compile(r"\s*[\[({](.*)[\])}]\s*", re.DOTALL)
UNSEEN = re.compile(r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*")
BETWEEN = re.compile(r"(?<=['\"\d.])\s+(?=['\"\d-])")
"""White space between the values of a printed array."""
BOOLEANS = {"true": "1", "false": "0"}
SEPARATORS = "|#;,"
"""The separator of several labels in a cell of text."""
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


def read_texts(
    path: Path, *, sheet: Mapping[str, Any], counts: Counts
) -> Iterator[tuple[Text, str | None, tuple[str, ...]]]:
    """Yield the text of each row that matches the sheet's `where`, in the file's order.

    It comes with its value in the split column, and the names that a prompt may use for it.
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
                yield text, part, (text.original_id, *names)
    faults.raise_all()
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


def plain(cell: object) -> str:
    """Return a cell as sheets spell it: 1.0 as 1, True as true, without outer white space.

    A missing value is spelled like an empty one, so it never matches `None` or `nan`.
    """
    spelled = "" if cell is None or cell != cell else str(cell).strip()
    if spelled.lower() in BOOLEANS:
        return spelled.lower()
    whole = WHOLE.fullmatch(spelled)
    return whole[1] if whole else spelled


def label_names(sheet: Mapping[str, Any]) -> dict[str, str]:
    """Return the name of each value of the dataset's label column, in the order of its sheet."""
    names = sheet["label_names"]
    return dict(names) if isinstance(names, dict) else {name: name for name in names}


class LabelColumn:
    """Reads the labels of rows by the `label_names` of a dataset's entry in the datasets sheet."""

    def __init__(self, sheet: Mapping[str, Any]) -> None:
        names = label_names(sheet)
        self._sheet, self._listed = sheet, ", ".join(names)
        self._names = {plain(value): name for value, name in names.items()} | names

    def read(self, row: Mapping[str, Any], *, location: str) -> tuple[tuple[str, ...], int]:
        """Return the label names of `row`, sorted and distinct, and how many values have no name.

        Without a label column there are none. `location` names the row in messages. Raises
        `InputError` for values without a name, unless the sheet leaves them out, and for no or
        several labels if one is required.
        """
        if self._sheet["label"] is None:
            return (), 0
        where = f"{location}, column '{self._sheet['label']}'"
        values = self._values(row[self._sheet["label"]])
        unknown = [value for value in values if self._name(value) is None]
        if unknown and self._sheet["other_labels"] == "refuse":
            raise InputError(
                where=where,
                found="no label" if is_empty(unknown[0]) else f"the label '{unknown[0]}'",
                expected=f"one of {self._listed}",
                fix="Correct the row, or list the label under `label_names` in the datasets sheet.",
            )
        labels = tuple(sorted({*filter(None, map(self._name, values))}))
        if len(labels) != 1 and not self._sheet["multi_label"]:
            raise InputError(
                where=where,
                found=f"{len(labels)} labels ({', '.join(map(str, values))})",
                expected="one label",
                fix="Correct the row, or set `multi_label: true` in the datasets sheet.",
            )
        return labels, len(unknown)

    def _values(self, cell: Any) -> list[Any]:
        """Return the values in a cell; where several are allowed, text may list them."""
        if isinstance(cell, list):
            return cell
        if not self._sheet["multi_label"] or self._name(cell) is not None:
            return [cell]
        if is_empty(cell):
            return []
        divided = ([*filter(None, str(cell).split(sign))] for sign in SEPARATORS)
        listed = _listed(str(cell))
        return max(
            [[cell] if listed is None else listed, *divided],
            key=lambda parts: sum(self._name(part) is not None for part in parts),
        )

    def _name(self, value: object) -> str | None:
        spelled = plain(value)
        keys = (value if isinstance(value, str) else spelled, spelled, BOOLEANS.get(spelled))
        return next((self._names[key] for key in keys if key in self._names), None)


def _listed(cell: str) -> list[Any] | None:
    """Return the values of a list as JSON or Python prints it, or None if the cell is none."""
    found = LISTED.fullmatch(cell)
    if not found:
        return None
    inner = found[1] if "," in found[1] else BETWEEN.sub(", ", found[1])
    listed = parse_yaml(f"[{inner}]")
    return listed if isinstance(listed, list) else None


def is_empty(cell: Any) -> bool:
    """Return whether a cell is empty: null, NaN, or only signs that cannot be seen."""
    return cell is None or cell != cell or (isinstance(cell, str) and bool(UNSEEN.fullmatch(cell)))
