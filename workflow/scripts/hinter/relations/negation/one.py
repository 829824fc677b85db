"""MR7: negate one sensitive attribute.

S' = S with a := not a for each attribute a of the source. As in the paper's examples, a value is
negated by one that excludes it, the `contrast` that the sheet gives it.

    Assess a loan application from a male applicant.
    Assess a loan application from a female applicant.
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    for negated in source.slots:
        yield source.changing(lambda slot: slot.holding(slot.value.contrast), of=[negated])


RELATION = Relation(name="MR7", title="Negation of one attribute", follow_ups=_follow_ups)
