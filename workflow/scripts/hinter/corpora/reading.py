"""From the rows of a user's file to its texts: filtered, cleaned, identified, labelled."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from .rows import Row, read_rows
from .texts import Text, text_id

# NUL, and halves of surrogate pairs, which JSON can spell and UTF-8 cannot.
FORBIDDEN = re.compile("[\0\ud800-\udfff]")


def label_names(sheet: Mapping[str, Any]) -> dict[str, str]:
    """Return the name of each value of the dataset's label column, in the order of its sheet."""
    names = sheet["label_names"]
    return dict(names) if isinstance(names, dict) else {name: name for name in names}


def labels_of(
    row: Row, *, names: Mapping[str, str], sheet: Mapping[str, Any], place: str
) -> tuple[str, ...]:
    """Return the label names of `row`, sorted and distinct; none if there is no label column.

    `names` is the result of `label_names` for the `sheet`; `place` names the row in messages.
    Raises `InputError` for a value without a name, unless the sheet leaves such values out, and for
    no or several labels where one is required.
    """
    if sheet["label"] is None:
        return ()
    where = f"{place}, column '{sheet['label']}'"
    cell = row[sheet["label"]]
    values = [str(value) for value in (cell if isinstance(cell, list) else [cell])]
    if sheet["other_labels"] == "refuse":
        _check_known(values, names=names, where=where)
    labels = tuple(sorted({names[value] for value in values if value in names}))
    if len(labels) != 1 and not sheet["multi_label"]:
        raise InputError(
            where=where,
            found=f"{len(labels)} labels ({', '.join(values)})",
            expected="one label",
            fix="Correct the row, or set `multi_label: true` in the datasets sheet.",
        )
    return labels


def _check_known(values: list[str], *, names: Mapping[str, str], where: str) -> None:
    unknown = [value for value in values if value not in names]
    if unknown:
        raise InputError(
            where=where,
            found=f"the label '{unknown[0]}'",
            expected=f"one of {', '.join(names)}",
            fix="Correct the row, or list the label under `label_names` in the datasets sheet.",
        )


@dataclass
class Counts:
    """How many rows of a dataset's file were used or left out, and why."""

    rows: int = 0
    left_out_by_filter: int = 0
    longer_than_max_chars: int = 0
    duplicates: int = 0
    texts: int = 0


class ReadText(NamedTuple):
    """A text, its value in the split column, and the names by which a prompt may call it."""

    text: Text
    part: str | None
    names: tuple[str, ...]


def read_texts(path: Path, *, sheet: Mapping[str, Any], counts: Counts) -> Iterator[ReadText]:
    """Yield the text of each row that matches the sheet's `where`, in the file's order.

    `sheet` is the dataset's entry in the datasets sheet; rows are counted in `counts`. A text is
    named by its original_id, the first 16 hexadecimal digits of the SHA-256 of the cleaned text,
    and, if there is a split column, by `VALUE:ROW`: its number, from 0, among the rows yielded with
    its value. Raises `InputError` for rows that cannot be used, and if no row matches.
    """
    accepted = {
        column: [value] if isinstance(value, str) else value
        for column, value in sheet["where"].items()
    }
    names, split_column = label_names(sheet), sheet["split_column"]
    numbers: Counter[str] = Counter()
    for place, row in read_rows(path, member=sheet["member"]):
        _check_columns(row, sheet=sheet, place=place)
        counts.rows += 1
        if any(str(row[column]) not in values for column, values in accepted.items()):
            counts.left_out_by_filter += 1
            continue
        cleaned = _cleaned(row, sheet=sheet, place=place)
        original_id = text_id(cleaned)
        text = Text(original_id, cleaned, labels_of(row, names=names, sheet=sheet, place=place))
        if split_column is None:
            yield ReadText(text, None, (original_id,))
        else:
            part = str(row[split_column])
            yield ReadText(text, part, (original_id, f"{part}:{numbers[part]}"))
            numbers[part] += 1
    if counts.rows == counts.left_out_by_filter:
        raise InputError(
            where=str(path),
            found=f"no text in {counts.rows} rows",
            expected="rows that fit the dataset's `where`",
            fix="Correct the file, or `where` in the datasets sheet.",
        )


def _cleaned(row: Row, *, sheet: Mapping[str, Any], place: str) -> str:
    text = row[sheet["text"]]
    if isinstance(text, list) and all(isinstance(paragraph, str) for paragraph in text):
        text = "\n".join(text)
    if isinstance(text, str):
        for old, new in sheet["replacements"].items():
            text = text.replace(old, new)
    problem = _problem_of(text)
    if problem:
        raise InputError(
            where=f"{place}, column '{sheet['text']}'",
            found=problem,
            expected="a text",
            fix="Remove or correct that row.",
        )
    return str(text)


def _problem_of(text: object) -> str | None:
    if not isinstance(text, str):
        return f"{text!r:.60}"
    if not text.strip():
        return "no text"
    forbidden = FORBIDDEN.search(text)
    return f"the character U+{ord(forbidden.group()):04X}" if forbidden else None


def _check_columns(row: Row, *, sheet: Mapping[str, Any], place: str) -> None:
    for column in [sheet["text"], sheet["label"], sheet["split_column"], *sheet["where"]]:
        if column is not None and column not in row:
            raise InputError(
                where=place,
                found=f"the columns {', '.join(row)}",
                expected=f"a column '{column}'",
                fix="Correct `text`, `label`, `split_column` or `where` in the datasets sheet.",
            )
