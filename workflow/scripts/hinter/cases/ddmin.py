"""Delta debugging by `ddmin` (Zeller and Hildebrandt, 2002): which of some places suffice.

Libraries for it run a test for one set after another; here the sets of many cases are asked about
together, in the batches of a model.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

ANSWERS_PER_PLACE = 4
"""A mutant of n places is narrowed with at most 4 n answers, about as many as `ddmin` takes if no
place can be left out. If few places are needed, it takes far fewer."""


class Narrowed(NamedTuple):
    """Indices of places that suffice; `minimal` if none of them can be left out."""

    kept: tuple[int, ...]
    minimal: bool


def most_answers(places: int) -> int:
    """Return the most answers that narrowing a mutant with this many places may take."""
    return min((1 << places) - 2, ANSWERS_PER_PLACE * places)


def narrow(places: int) -> Generator[tuple[int, ...], bool | None, Narrowed]:
    """Narrow a mutant to a 1-minimal set of its places, which all together change the outcome.

    Yields sets of places, numbered from 0, to be told whether the mutant with these alone changes
    the outcome; no set comes twice. What is returned is not minimal where answers ran out.
    """
    known: dict[tuple[int, ...], bool] = {}
    kept, parts = tuple(range(places)), 2
    while len(kept) > 1:
        for tried, next_parts in _smaller(kept, parts=parts):
            if tried not in known:
                if len(known) == most_answers(places):
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
    """Yield each of `parts` parts, then all but each, with the number of parts that follows it."""
    ends = [len(kept) * number // parts for number in range(parts + 1)]
    for start, end in pairwise(ends):
        yield tuple(kept[start:end]), 2
    for start, end in pairwise(ends):
        yield (*kept[:start], *kept[end:]), max(parts - 1, 2)
