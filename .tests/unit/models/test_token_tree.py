"""Rows walked as a tree of tokens."""

from typing import NamedTuple

import numpy as np
from hinter.models.token_tree import walk
from hypothesis import given
from hypothesis import strategies as st

rows_of_tokens = st.lists(
    st.lists(st.integers(0, 2), min_size=1, max_size=30), min_size=1, max_size=25
)


@st.composite
def mutants(draw: st.DrawFn) -> list[list[int]]:
    """Rows that change a few tokens of a few originals, one of them cut short now and then."""
    rows = []
    for start in range(draw(st.integers(1, 4))):
        original = [start * 100 + n for n in range(draw(st.integers(1, 90)))]
        rows.append(original)
        for _ in range(draw(st.integers(0, 9))):
            row = list(original)
            for place in draw(st.sets(st.integers(0, len(row) - 1), max_size=3)):
                row[place] = draw(st.integers(10_000, 10_003))
            rows.append(row[: draw(st.integers(1, len(row)))])
    return draw(st.permutations(rows))


class Walked(NamedTuple):
    """What a walk told of all rows: their tokens, what each node saw, and how many nodes it had."""

    rows: dict[int, list[int]]
    seen: list[list[int]]
    depths: list[int]


def _walked(rows: list[list[int]], *, size: int) -> Walked:
    """Follow a walk as a model does, which holds the tokens that it was told to keep."""
    kept: list[int] = []
    ended: dict[int, list[int]] = {}
    seen, depths = [], []
    for chunk in walk(rows, size=size):
        assert 0 < len(chunk.tokens) <= size
        assert chunk.known == len(kept)
        held = np.array([*kept, *chunk.tokens])
        for end in chunk.ends:
            assert end.position not in ended
            assert end.columns[-1] >= chunk.known
            ended[end.position] = held[end.columns].tolist()
        seen += [held[sees].tolist() for sees in chunk.sees]
        depths += chunk.depths
        kept = held[chunk.path].tolist()
    return Walked(ended, seen, depths)


@given(st.one_of(rows_of_tokens, mutants()), st.integers(1, 40))
def test_every_row_ends_once_and_every_node_sees_what_is_before_it(
    rows: list[list[int]], size: int
) -> None:
    found = _walked(rows, size=size)
    assert found.rows == dict(enumerate(rows))
    assert found.depths == [len(seen) - 1 for seen in found.seen]
    beginnings = {tuple(row[: depth + 1]) for row in rows for depth in range(len(row))}
    assert set(map(tuple, found.seen)) == beginnings


@given(st.one_of(rows_of_tokens, mutants()), st.integers(1, 40))
def test_no_beginning_is_computed_twice_but_for_the_ends_of_rows_that_are_the_same(
    rows: list[list[int]], size: int
) -> None:
    found = _walked(rows, size=size)
    beginnings = {tuple(row[: depth + 1]) for row in rows for depth in range(len(row))}
    same = len(rows) - len(set(map(tuple, rows)))
    assert len(found.seen) == len(beginnings) + same
