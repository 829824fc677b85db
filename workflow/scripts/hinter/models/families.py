"""Rows of tokens that begin alike, as the mutants of one original do."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, takewhile
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

    def positions(self) -> list[int]:
        """Return the positions of all its rows."""
        return [self.trunk, *(place for branch in self.branches for place in branch.positions)]

    def shared(self, rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
        """Yield the position of each row, with how many of its tokens the trunk has as well.

        A token of each row is left.
        """
        yield self.trunk, len(rows[self.trunk]) - 1
        for branch in self.branches:
            yield from ((position, branch.shared) for position in branch.positions)

    def saved(self) -> int:
        """Return how many tokens of its rows need not be computed."""
        return sum(len(branch.positions) * branch.shared for branch in self.branches)


def find_families(rows: Sequence[Sequence[int]]) -> tuple[list[Family], list[int]]:
    """Return the families among the rows, and the positions of the rows that are in none."""
    families, alone = [], []
    for members, shared in _begin_alike(rows):
        if len(members) == 1:
            alone += members
        else:
            families.append(_family(rows, members, shared))
    return families, alone


def _begin_alike(rows: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the positions of all rows, in lists of those that share their beginning.

    They are in the order of their tokens, in which neighbours share at least as much as rows that
    are further apart. With each list comes how many tokens each but the first shares with the row
    before it.
    """
    members: list[int] = []
    shared: list[int] = []
    for position in sorted(range(len(rows)), key=lambda position: tuple(rows[position])):
        tokens = _shared(rows[members[-1]], rows[position]) if members else 0
        if members and tokens < LEAST_SHARED:
            yield members, shared
            members, shared = [], []
        elif members:
            shared.append(tokens)
        members.append(position)
    if members:
        yield members, shared


def _family(rows: Sequence[Sequence[int]], members: Sequence[int], shared: Sequence[int]) -> Family:
    with_all = [_with_others(shared, number) for number in range(len(members))]
    trunk = max(range(len(members)), key=lambda number: sum(with_all[number]))
    # A row that is the beginning of the trunk still has a token of its own.
    found = {
        member: min(tokens, len(rows[member]) - 1)
        for number, (member, tokens) in enumerate(zip(members, with_all[trunk], strict=True))
        if number != trunk
    }
    return Family(members[trunk], list(_branches(found)))


def _with_others(shared: Sequence[int], number: int) -> list[int]:
    """Return how many tokens a member shares with each, 0 for itself, given those of neighbours."""
    before = list(accumulate(reversed(shared[:number]), min))
    return [*reversed(before), 0, *accumulate(shared[number:], min)]


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
