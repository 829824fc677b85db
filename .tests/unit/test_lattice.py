"""The parts of a mutant are the same in Python and in SQL."""

from itertools import combinations

import pytest
from hinter.database import open_database
from hinter.lattice import lattice_of, parts_of

PAIRS = ["age:old>young", "body:tall>short", "gender:man>woman", "race:Asian>white"]


@pytest.mark.parametrize("order", range(5))
def test_every_subset_is_a_part_once_and_the_original_first(order: int) -> None:
    parts = parts_of(PAIRS[:order])
    sizes = range(order + 1)
    assert sorted(parts) == sorted(some for k in sizes for some in combinations(PAIRS[:order], k))
    assert (parts[0], parts[-1]) == ((), tuple(PAIRS[:order]))


@pytest.mark.parametrize("order", range(5))
def test_sql_names_the_parts_by_the_same_numbers(order: int) -> None:
    query = """
        SELECT part_id('o', $pairs, part), part_of($pairs, part),
            list_contains(sub_mutants($pairs), part)
        FROM (SELECT unnest(parts($pairs)) AS part) ORDER BY part
    """
    rows = open_database().execute(query, {"pairs": PAIRS[:order]}).fetchall()
    lattice = lattice_of("o", PAIRS[:order])
    assert {key: tuple(pairs) for key, pairs, _ in rows} == lattice
    inside = [key for key, _, is_sub_mutant in rows if is_sub_mutant]
    assert inside == list(lattice)[1:-1]
