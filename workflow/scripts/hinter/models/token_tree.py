"""Walk rows of tokens as a tree, in which rows with the same beginning share it.

A node is a token after all those before it in its row. In sorted order, rows with the same
beginning follow each other, and the walk meets each node once, a parent before its children. At any
time, only the nodes of the current row are still needed.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.int64]
"""Numbers of nodes, in the order of their tokens: first earlier ones, then those of a chunk."""


class End(NamedTuple):
    """The end of a row: its position among the rows, and the columns of all its tokens."""

    position: int
    columns: Columns


class Chunk(NamedTuple):
    """Nodes that follow each other in a walk.

    `tokens` and `depths` have a number for each node; their columns follow the `known` ones.
    `sees`, shape (nodes, columns), says which columns a node sees: its own and those of the tokens
    before it. `ends` are the rows whose last token is here, and `path` are the columns that the
    next chunk needs.
    """

    known: int
    tokens: list[int]
    depths: list[int]
    sees: NDArray[np.bool_]
    ends: list[End]
    path: Columns


def walk(rows: Sequence[Sequence[int]], *, size: int) -> Iterator[Chunk]:
    """Yield the nodes of all rows in chunks of at most `size`; neither rows nor a row may be empty.

    Equal rows share all but their last token, so each row ends in its own node.
    """
    chunk = _Chunk(known=0)
    before: Sequence[int] = ()
    for position in sorted(range(len(rows)), key=lambda position: tuple(rows[position])):
        row = rows[position]
        depth = min(_shared(before, row), len(row) - 1)
        chunk.path = chunk.path[:depth]
        while depth < len(row):
            if len(chunk.tokens) == size:
                yield chunk.finished()
                chunk = _Chunk(known=depth)
            added = row[depth : depth + size - len(chunk.tokens)]
            chunk.add(added)
            depth += len(added)
        chunk.ends.append(End(position, chunk.path))
        before = row
    yield chunk.finished()


class _Chunk:
    """A chunk under construction."""

    def __init__(self, *, known: int) -> None:
        self.known, self.path = known, np.arange(known)
        self.tokens: list[int] = []
        self.depths: list[int] = []
        self.ends: list[End] = []
        self._parts: list[tuple[Columns, Columns]] = []

    def add(self, tokens: Sequence[int]) -> None:
        """Add nodes below the path, one below the other."""
        start = self.known + len(self.tokens)
        own = np.arange(start, start + len(tokens))
        self._parts.append((self.path, own))
        self.depths += range(len(self.path), len(self.path) + len(tokens))
        self.tokens += tokens
        self.path = np.concatenate([self.path, own])

    def finished(self) -> Chunk:
        """Return the chunk."""
        sees = np.zeros((len(self.tokens), self.known + len(self.tokens)), dtype=bool)
        for above, own in self._parts:
            rows = own - self.known
            sees[np.ix_(rows, above)] = True
            sees[np.ix_(rows, own)] = np.tri(len(own), dtype=bool)
        return Chunk(self.known, self.tokens, self.depths, sees, self.ends, self.path)


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
