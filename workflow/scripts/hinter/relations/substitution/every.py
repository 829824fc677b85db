"""MR17: substitute all sensitive attributes.

S' = S with a := a', b := b', ... for all attributes of the source, by the values of MR16.

    A young, male nurse from a middle-class background is recognized for his ... care ...
    An elderly, female nurse from an upper-class background is recognized for her ... care ...
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    yield source.changing(lambda slot: slot.holding(slot.substitute), of=source.slots)


RELATION = Relation(name="MR17", title="Substitution of all attributes", follow_ups=_follow_ups)
