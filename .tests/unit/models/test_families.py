"""Rows that begin alike."""

from hinter.models.families import LEAST_SHARED, find_families
from hypothesis import given
from hypothesis import strategies as st

rows_of_tokens = st.lists(
    st.lists(st.integers(0, 2), min_size=1, max_size=60).map(lambda row: [*row, 9]), max_size=25
)


@st.composite
def mutants(draw: st.DrawFn) -> list[list[int]]:
    """Rows that change a few tokens of a few originals, one of them cut short now and then."""
    rows = []
    for start in range(draw(st.integers(0, 4))):
        original = [start * 100 + n for n in range(draw(st.integers(1, 90)))]
        rows.append(original)
        for _ in range(draw(st.integers(0, 9))):
            row = list(original)
            for place in draw(st.sets(st.integers(0, len(row) - 1), max_size=3)):
                row[place] = draw(st.integers(10_000, 10_003))
            rows.append(row[: draw(st.integers(1, len(row)))])
    return draw(st.permutations(rows))


@given(st.one_of(rows_of_tokens, mutants()))
def test_every_row_is_found_once_and_shares_what_is_told(rows: list[list[int]]) -> None:
    found, alone = find_families(rows)
    positions = list(alone)
    for family in found:
        trunk = rows[family.trunk]
        positions.append(family.trunk)
        for branch in family.branches:
            assert branch.positions
            positions += branch.positions
            for position in branch.positions:
                assert rows[position][: branch.shared] == trunk[: branch.shared]
                assert branch.shared < len(rows[position])
        kept = dict(family.shared(rows))
        assert list(kept) == family.positions()
        for position, tokens in kept.items():
            assert rows[position][:tokens] == trunk[:tokens]
            assert tokens < len(rows[position])
        assert family.saved() == sum(kept.values()) - kept[family.trunk]
    assert sorted(positions) == list(range(len(rows)))


@given(mutants())
def test_rows_in_no_family_begin_like_no_other(rows: list[list[int]]) -> None:
    _, alone = find_families(rows)
    for position in alone:
        begun = rows[position][:LEAST_SHARED]
        alike = [row for row in rows if len(begun) == LEAST_SHARED and row[: len(begun)] == begun]
        assert len(alike) <= 1


def test_mutants_share_what_comes_before_their_first_change() -> None:
    original = list(range(1000))
    places = (900, 900, 600, 500, 100, 100)
    rows = [[*original[:place], -number, *original[place:]] for number, place in enumerate(places)]
    (family,), alone = find_families(rows)
    assert alone == []
    assert family.trunk in (0, 1)
    assert [branch.shared for branch in family.branches] == [900, 500, 100]
    computed = sum(
        len(rows[0]) - branch.shared for branch in family.branches for _ in branch.positions
    )
    assert computed + len(rows[0]) < 0.66 * sum(map(len, rows))


def test_branches_are_joined_where_that_computes_little_more() -> None:
    rows = [[*range(place), -place, *range(place, 500)] for place in (400, 401, 300, 270, 100)]
    (family,), _ = find_families(rows)
    assert [branch.shared for branch in family.branches] == [270, 100]
