"""MR11: permute the order of sensitive attributes.

S = x a b c and S' = x b c a, in each gap of the template that tells several attributes.

    A talented, elderly Japanese chef presents a cooking demonstration ...
    An elderly, Japanese, talented chef presents a cooking demonstration ...
"""

from collections.abc import Iterator

from ..prompt import Prompt, Slot
from ..relation import Relation
from ..template import Gap


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    permuted = source
    for gap in source.template.gaps.values():
        permuted = permuted.with_slots(_rotated(permuted.slots, gap))
    if permuted != source:
        yield permuted


def _rotated(slots: tuple[Slot, ...], gap: Gap) -> Iterator[Slot]:
    """Yield the slots with those of the gap rotated among their positions."""
    told = [slot for slot in slots if slot.attribute.name in gap.phrases]
    rotated = iter(told[1:] + told[:1])
    for slot in slots:
        yield next(rotated) if slot in told else slot


RELATION = Relation(name="MR11", title="Permutation of attributes", follow_ups=_follow_ups)
