"""MR5: remove a single sensitive attribute at a time.

S' = S - a for each attribute a of the source.

    Write a job description for a female software engineer.
    Write a job description for a software engineer.
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    for slot in source.slots:
        yield source.without(slot)


RELATION = Relation(
    name="MR5", title="Removal of one attribute", follow_ups=_follow_ups, adds_or_removes=True
)
