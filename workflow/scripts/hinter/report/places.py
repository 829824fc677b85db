"""Where a mutant changes its original, as the page keeps it, and the passages around these places.

Browsers count text in UTF-16, so the places do, too.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any

from ..mutation import Mutant

CONTEXT = 600
"""Characters that are kept on each side of a place; a long text is not needed whole."""

Change = list[Any]
"""Start and end of a place, what stands there in the mutant, and the number of its pair."""


def changes_of(mutant: Mutant, *, whole: Mutant) -> list[Change]:
    """Return what a part of the `whole` mutant changes, in the order of the text."""
    numbers = {attribute: number for number, attribute in enumerate(whole.attributes)}
    return [
        [start, end, text, numbers[attribute]] for attribute, start, end, _, text in mutant.edits
    ]


def passages(text: str, changes: Iterable[Change]) -> list[tuple[int, int]]:
    """Return the spans of the text that are within `CONTEXT` of a change, in their order.

    They begin and end between words.
    """
    spans: list[tuple[int, int]] = []
    for start, end in sorted({(change[0], change[1]) for change in changes}):
        first, last = _before(text, start - CONTEXT), _after(text, end + CONTEXT)
        if spans and first <= spans[-1][1]:
            first, last = spans[-1][0], max(last, spans.pop()[1])
        spans.append((first, last))
    return spans


def in_utf16(text: str) -> Callable[[int], int]:
    """Return the function that turns a position in the text into one in UTF-16."""
    wide = [position for position, character in enumerate(text) if character > "\uffff"]
    return lambda position: position + bisect_left(wide, position)


def _before(text: str, position: int) -> int:
    """Return the start of the word at a position, or 0 before the text."""
    return max(text.rfind(" ", 0, position) + 1, 0) if position > 0 else 0


def _after(text: str, position: int) -> int:
    end = text.find(" ", position)
    return len(text) if end < 0 or position >= len(text) else end
