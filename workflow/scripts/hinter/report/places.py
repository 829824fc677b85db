"""Where a mutant changes its original, as the page keeps it, and the passages around these places.

Browsers count text in UTF-16, so the places do, too.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..dictionary import WordPair
from ..lattice import parts_of
from ..mutation import Substitution, place_pairs, place_part, wording

CONTEXT = 600
"""Characters that are kept on each side of a place; a long text is not needed whole."""

Change = list[Any]
"""Start and end of a place, what stands there in the mutant, and the number of its pair."""


def changes_of(
    text: str, pairs: Sequence[WordPair], places: Sequence[Mapping[str, Any]] | None
) -> list[Change]:
    """Return what the mutant of these pairs changes, in the order of the text."""
    return _changes(text, place_pairs(text, pairs, places), numbers=range(len(pairs)))


def other_changes(
    text: str,
    pairs: Sequence[WordPair],
    places: Sequence[Mapping[str, Any]] | None,
    *,
    whole: Sequence[Change],
) -> dict[int, list[Change]]:
    """Return the changes of those sub-mutants that are no part of the changes of the `whole`.

    They are by the sub-mutant's number (see `parts_of`): where terms overlap, the sub-mutant of
    the shorter one changes what the whole mutant leaves to the longer one.
    """
    if places is not None:
        return {}
    found = {}
    for part, numbers in list(enumerate(parts_of(range(len(pairs)))))[1:-1]:
        placed = place_part(text, pairs, None, part=[pairs[number] for number in numbers])
        changes = _changes(text, placed, numbers=numbers)
        if changes != [change for change in whole if change[3] in numbers]:
            found[part] = changes
    return found


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


def _changes(
    text: str, placed: Iterable[Iterable[Substitution]], *, numbers: Iterable[int]
) -> list[Change]:
    return sorted(
        [start, end, wording(text[start:end], role=role, target=target), number]
        for number, substitutions in zip(numbers, placed, strict=True)
        for (start, end, role), target in substitutions
    )


def _before(text: str, position: int) -> int:
    """Return the start of the word at a position, or 0 before the text."""
    return max(text.rfind(" ", 0, position) + 1, 0) if position > 0 else 0


def _after(text: str, position: int) -> int:
    end = text.find(" ", position)
    return len(text) if end < 0 or position >= len(text) else end
