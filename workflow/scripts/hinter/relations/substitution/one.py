"""MR16: substitute a sensitive attribute.

S' = S with a := a' for each attribute a of the source, where a' is a comparable value drawn for it.

    A young, male nurse is recognized for his exceptional patient care in a city hospital.
    A young, female nurse is recognized for her exceptional patient care in a city hospital.
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    for substituted in source.slots:
        yield source.changing(lambda slot: slot.holding(slot.substitute), of=[substituted])


RELATION = Relation(name="MR16", title="Substitution of one attribute", follow_ups=_follow_ups)
