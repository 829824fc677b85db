"""The few-shot examples that a prompt names, found in the dataset and compared with it.

An example is named by its original_id, or as `SPLIT:ROW`: the row, counted from 0 in the file's
order, among the rows that have the value SPLIT in the dataset's split column.
"""

from collections.abc import Mapping
from pathlib import Path

from .texts import Text

Expected = Mapping[str, tuple[str, ...]]
"""The labels that each example must have, by its name."""

FIX = "Correct `examples` in the dataset's prompt file."


def fault_in_examples(
    found: Mapping[str, Text], *, expected: Expected, labelled: bool, path: Path
) -> dict[str, str] | None:
    """Return the parts of an `InputError`, None if each expected example was found with its labels.

    `found` are the examples by their names; in a dataset that is not `labelled`, labels are not
    compared. No two may be the same text. `path` is the dataset's file.
    """
    names: dict[str, str] = {}
    for name, labels in expected.items():
        if name not in found:
            return {
                "where": str(path),
                "found": _absence(name),
                "expected": "every example that the prompt names",
                "fix": FIX,
            }
        if labelled and set(found[name].labels) != set(labels):
            return {
                "where": f"{path}, example '{name}'",
                "found": f"the labels {_shown(found[name].labels)}",
                "expected": f"{_shown(labels)}, as the prompt says",
                "fix": f"{FIX} Rows are counted from 0, in the file's order, after `where`.",
            }
        first = names.setdefault(found[name].original_id, name)
        if first != name:
            return {
                "where": f"{path}, example '{name}'",
                "found": f"the text of the example '{first}'",
                "expected": "another text",
                "fix": FIX,
            }
    return None


def _absence(name: str) -> str:
    part, _, row = name.rpartition(":")
    return f"no row {row} of '{part}'" if part else f"no text with original_id {name}"


def _shown(labels: tuple[str, ...]) -> str:
    return f"({', '.join(labels)})"
