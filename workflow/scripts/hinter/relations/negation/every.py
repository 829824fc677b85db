"""MR8: negate all sensitive attributes.

S' = S with a := not a, b := not b, ... for all attributes of the source, each by its `contrast`.

    Evaluate the performance of a young Asian employee.
    Evaluate the performance of an old Hispanic employee.
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    yield source.changing(lambda slot: slot.holding(slot.value.contrast), of=source.slots)


RELATION = Relation(name="MR8", title="Negation of all attributes", follow_ups=_follow_ups)
