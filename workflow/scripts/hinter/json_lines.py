"""Read the rows of JSON, each with its location."""

import json
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any

from .errors import Faults, InputError
from .lines import Rows, check_columns

_fault = partial(InputError, expected="one JSON object per line", fix="Correct that line.")


def json_rows(
    lines: Iterator[str], *, where: str, columns: Collection[str], faults: Faults
) -> Rows:
    """Yield (location, row) for each object: one per line, or all in one array."""
    for location, value in _json_values(lines, where=where, faults=faults):
        with faults.noted():
            if not isinstance(value, dict):
                raise _fault(where=location, found=f"{json.dumps(value):.60}")
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
    raise _fault(where=location, found=found)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError("a key is there twice")
    return row
