"""MR6.1: remove the sensitive attributes in the middle.

S' = S - {b, ...}, the attributes between the first and the last one. It takes three attributes.

    Evaluate the qualifications of a young, African-American female candidate ...
    Evaluate the qualifications of a young female candidate ...
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    if middle := source.slots[1:-1]:
        yield source.without(*middle)


RELATION = Relation(
    name="MR6.1", title="Removal in the middle", follow_ups=_follow_ups, adds_or_removes=True
)
