"""Rows of tokens that begin alike, as the mutants of one original do."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

LEAST_SHARED = 16
"""Rows that share fewer tokens are no family: a batch of them takes as little time."""
BATCH_TOKENS = 128
"""A batch of its own takes about as long as this many tokens more in another, on a CPU."""


class Branch(NamedTuple):
    """Rows of a family by their positions, and how many tokens they share with its trunk."""

    positions: list[int]
    shared: int


class Family(NamedTuple):
    """Rows that begin alike: the one that shares most with the others, the trunk, and these."""

    trunk: int
    branches: list[Branch]


def find_families(rows: Sequence[Sequence[int]]) -> tuple[list[Family], list[int]]:
    """Return the families among the rows, and the positions of the rows that are in none."""
    families, alone = [], []
    for members in _begin_alike(rows):
        if len(members) == 1:
            alone += members
        else:
            families.append(_family(rows, members))
    return families, alone


def _begin_alike(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the positions of all rows, in lists of those that share their beginning."""
    members: list[int] = []
    # In this order, neighbours share at least as much as rows that are further apart.
    for position in sorted(range(len(rows)), key=lambda position: tuple(rows[position])):
        if members and _shared(rows[members[-1]], rows[position]) < LEAST_SHARED:
            yield members
            members = []
        members.append(position)
    if members:
        yield members


def _family(rows: Sequence[Sequence[int]], members: Sequence[int]) -> Family:
    shared = {one: [_shared(rows[one], rows[other]) for other in members] for one in members}
    trunk = max(members, key=lambda position: sum(shared[position]))
    # A row that is the beginning of the trunk still has a token of its own.
    found = {
        other: min(tokens, len(rows[other]) - 1)
        for other, tokens in zip(members, shared[trunk], strict=True)
        if other != trunk
    }
    return Family(trunk, list(_branches(found)))


def _branches(shared: dict[int, int]) -> Iterator[Branch]:
    """Yield the other rows of a family, those that share most with the trunk first.

    Rows that share less join a branch where this computes few tokens more.
    """
    positions: list[int] = []
    least = 0
    for position in sorted(shared, key=lambda position: (-shared[position], position)):
        if len(positions) * (least - shared[position]) > BATCH_TOKENS:
            yield Branch(positions, least)
            positions = []
        positions.append(position)
        least = shared[position]
    yield Branch(positions, least)


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
