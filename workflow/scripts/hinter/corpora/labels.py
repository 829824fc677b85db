"""The labels of a row, by the names that the datasets sheet gives them."""

from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from .rows import Row


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
