"""The paper's tolerant comparison."""

import pytest
from hinter.invariant import tolerantly_equal
from hypothesis import given, settings
from hypothesis import strategies as st
from literal import tolerant_table_comp

TAGS = st.lists(st.integers(0, 2), max_size=8)


def tolerated(original: str, mutated: str) -> bool:
    """Compare two sequences, each written as words."""
    return tolerantly_equal([*map(hash, original.split())], [*map(hash, mutated.split())])


@pytest.mark.parametrize(
    ("mutated", "expected"),
    [("A N V", True), ("A N P", False), ("P N V", False), ("A V N", False), ("N V A", False)],
)
def test_equal_lengths_must_be_equal(mutated: str, expected: bool) -> None:
    assert tolerated("A N V", mutated) is expected


@pytest.mark.parametrize("mutated", ["X A N V", "A X N V", "A N X V", "A N V X", "A N V X Y Z"])
def test_insertions_pass(mutated: str) -> None:
    assert tolerated("A N V", mutated)


def test_the_element_after_an_insertion_is_not_compared() -> None:
    assert tolerated("A N V", "A J Z V")
    assert not tolerated("A N V P", "A J N W P")


@pytest.mark.parametrize(
    ("mutated", "expected"),
    [("A V", True), ("N V", True), ("A N", True), ("", True), ("A X", True), ("X N", False)],
)
def test_deletions_are_treated_as_insertions_into_the_mutant(mutated: str, expected: bool) -> None:
    assert tolerated("A N V", mutated) is expected


@pytest.mark.parametrize(
    ("original", "mutated"),
    [("A N V", "B J N X"), ("A B", "X Y Z"), ("A B C", "X B"), ("A N V", "X N V Y")],
)
def test_more_mismatches_than_the_lengths_differ_fail(original: str, mutated: str) -> None:
    assert not tolerated(original, mutated)


@settings(max_examples=2000, deadline=None, derandomize=True)
@given(first=TAGS, second=TAGS)
def test_compares_as_the_released_code_is_described(first: list[int], second: list[int]) -> None:
    assert tolerantly_equal(first, second) == tolerant_table_comp(first, second)


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(tagged=st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=10))
def test_mere_insertions_always_pass(tagged: list[tuple[int, bool]]) -> None:
    mutated = [tag for tag, _ in tagged]
    original = [tag for tag, inserted in tagged if not inserted]
    assert tolerantly_equal(original, mutated)
    assert tolerantly_equal(mutated, original)
