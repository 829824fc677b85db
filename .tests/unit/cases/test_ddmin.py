"""Delta debugging over places."""

import random
from collections.abc import Callable
from itertools import combinations

import pytest
from hinter.cases.ddmin import Narrowed, most_answers, narrow
from hypothesis import given
from hypothesis import strategies as st

Changes = Callable[[frozenset[int]], bool]


def _search(edits: int, changes: Changes) -> tuple[Narrowed, list[tuple[int, ...]]]:
    """Return what is found if these sets of places change the outcome, and the sets asked about."""
    search, asked = narrow(edits), []
    answer: bool | None = None
    while True:
        try:
            asked.append(search.send(answer))
        except StopIteration as end:
            return end.value, asked
        answer = changes(frozenset(asked[-1]))


@given(edits=st.integers(1, 9), needed=st.integers(0, 10**6), seed=st.integers(0, 10**6))
def test_places_that_are_needed_together_are_found(edits: int, needed: int, seed: int) -> None:
    wanted = frozenset(random.Random(seed).sample(range(edits), 1 + needed % edits))
    found, asked = _search(edits, wanted.issubset)
    assert found == Narrowed(tuple(sorted(wanted)), minimal=True) or not found.minimal
    assert wanted.issubset(found.kept)
    assert len(asked) == len(set(asked)) <= most_answers(edits)


@given(edits=st.integers(1, 8), seed=st.integers(0, 10**6))
def test_what_is_minimal_can_lose_no_place_whatever_the_model_does(edits: int, seed: int) -> None:
    """Whether a set changes the outcome need not follow from what its parts do."""
    draw = random.Random(seed)
    everything = frozenset(range(edits))
    parts = [frozenset(part) for n in range(1, edits) for part in combinations(everything, n)]
    changing = {part: draw.random() < 0.3 for part in parts} | {everything: True}
    found, asked = _search(edits, changing.__getitem__)
    kept = frozenset(found.kept)
    assert changing[kept]
    assert len(asked) == len(set(asked)) <= most_answers(edits)
    if found.minimal and len(kept) > 1:
        assert not any(changing[kept - {number}] for number in kept)


@pytest.mark.parametrize("edits", [2, 5, 16, 100])
def test_one_place_among_many_is_found_with_few_answers(edits: int) -> None:
    for wanted in range(edits):
        found, asked = _search(edits, frozenset([wanted]).issubset)
        assert found == Narrowed((wanted,), minimal=True)
        assert len(asked) <= 2 * edits.bit_length()


def test_answers_that_run_out_leave_what_is_known_to_change_the_outcome() -> None:
    """Where every second place is needed, few sets can lose any."""
    wanted = frozenset(range(0, 40, 2))
    found, asked = _search(40, wanted.issubset)
    assert not found.minimal
    assert len(asked) == most_answers(40) == 160
    assert wanted < set(found.kept) < set(range(40))
