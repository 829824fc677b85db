"""Labels in users' files: numbers, booleans, lists, and several in a cell of text."""

import re
from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..yaml_files import parse_yaml

WHOLE = re.compile(r"(-?[0-9]+)\.0*")
LISTED = re.compile(r"\s*[\[({](.*)[\])}]\s*", re.DOTALL)
UNSEEN = re.compile(r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*")
BETWEEN = re.compile(r"(?<=['\"\d.])\s+(?=['\"\d-])")
"""White space between the values of a printed array."""
BOOLEANS = {"true": "1", "false": "0"}
SEPARATORS = "|#;,"
"""The separator of several labels in a cell of text."""


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
