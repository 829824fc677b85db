"""The lattice of a mutant: the parts that its pairs make, in Python and in SQL.

Part m contains pair i, both counted from 0, if bit i of m is set. The first part is the original,
the last is the mutant itself, and those between are its sub-mutants.
"""

from collections.abc import Sequence
from typing import TypeVar

Pair = TypeVar("Pair")

MACROS = """
    CREATE MACRO part_of(pair_ids, part) AS
        list_filter(pair_ids, lambda pair, i: (part >> (i - 1)) & 1 = 1);
    CREATE MACRO part_id(original_id, pair_ids, part) AS
        array_to_string(list_prepend(original_id, part_of(pair_ids, part)), '|');
    CREATE MACRO parts(pair_ids) AS range(1 << len(pair_ids));
    CREATE MACRO sub_mutants(pair_ids) AS parts(pair_ids)[2:-2];
"""
"""`part_of` and `part_id` are the pairs and the id of a part by its number, `parts` the numbers of
all parts, and `sub_mutants` those of the sub-mutants."""


def parts_of(pairs: Sequence[Pair]) -> list[tuple[Pair, ...]]:
    """Return the pairs of each part, by its number."""
    return [
        tuple(pair for i, pair in enumerate(pairs) if part >> i & 1)
        for part in range(1 << len(pairs))
    ]


def lattice_of(original_id: str, pair_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the pair_ids of each part by its id, in the order of their numbers."""
    return {"|".join([original_id, *part]): part for part in parts_of(pair_ids)}
