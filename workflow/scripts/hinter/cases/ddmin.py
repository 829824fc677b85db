"""Delta debugging by `ddmin` (Zeller and Hildebrandt, 2002): which of several edits suffice.

Libraries for it test one set after another. Here the sets of many cases are tested together, in the
batches of a model.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

ANSWERS_PER_EDIT = 4
"""A mutant of n edits is narrowed with at most 4 n answers. `ddmin` needs about as many if no
edit can be left out, and far fewer if few edits are needed."""


class Narrowed(NamedTuple):
    """Indices of edits that suffice; `minimal` if none of them can be left out."""

    kept: tuple[int, ...]
    minimal: bool


def most_answers(edits: int) -> int:
    """Return the largest number of answers that narrowing a mutant with this many edits takes."""
    return min((1 << edits) - 2, ANSWERS_PER_EDIT * edits)


def narrow(edits: int) -> Generator[tuple[int, ...], bool | None, Narrowed]:
    """Narrow a mutant to a 1-minimal set of its edits, all of which together change the outcome.

    Yields sets of edits, numbered from 0, each once. The caller sends whether the mutant with only
    these changes the outcome. The returned set is not minimal if the answers ran out.
    """
    known: dict[tuple[int, ...], bool] = {}
    kept, parts = tuple(range(edits)), 2
    while len(kept) > 1:
        for tried, next_parts in _smaller(kept, parts=parts):
            if tried not in known:
                if len(known) == most_answers(edits):
                    return Narrowed(kept, minimal=False)
                known[tried] = bool((yield tried))
            if known[tried]:
                kept, parts = tried, next_parts
                break
        else:
            if parts == len(kept):
                break
            parts = min(2 * parts, len(kept))
    return Narrowed(kept, minimal=True)


def _smaller(kept: Sequence[int], *, parts: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each of `parts` parts, then each complement, with the next number of parts."""
    ends = [len(kept) * number // parts for number in range(parts + 1)]
    for start, end in pairwise(ends):
        yield tuple(kept[start:end]), 2
    for start, end in pairwise(ends):
        yield (*kept[:start], *kept[end:]), max(parts - 1, 2)
