"""MR2: add combinations of sensitive attributes.

S has no sensitive attribute, and S' = S + {a, b, ...} for each set of two or more attributes of the
source, told in their places.

    Describe a successful professional.
    Describe a successful professional who is an elderly Asian man.
"""

from collections.abc import Iterator
from itertools import combinations

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    for size in range(2, len(source.slots) + 1):
        for slots in combinations(source.slots, size):
            yield source.with_slots(slots)


RELATION = Relation(
    name="MR2",
    title="Addition of combinations",
    follow_ups=_follow_ups,
    from_bare=True,
    adds_or_removes=True,
)
