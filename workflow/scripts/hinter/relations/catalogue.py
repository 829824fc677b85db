"""The metamorphic relations of Reddy, Srinivasan and Kanewala (2025), from catalogue.yaml."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from ..yaml_files import data_of
from .prompt import Prompt, Slot

INFORMATION = {True: "added or removed", False: "kept"}
"""What happens to the information in a prompt, by whether a relation adds or removes any."""

Slots = tuple[Slot, ...]


def _several(slots: Slots) -> Iterator[Slots]:
    for size in range(2, len(slots) + 1):
        yield from combinations(slots, size)


SLOTS: Mapping[str, Callable[[Slots], Iterable[Slots]]] = {
    "all": lambda slots: [slots],
    "each": lambda slots: [(slot,) for slot in slots],
    "several": _several,
    "first": lambda slots: [slots[:1]],
    "middle": lambda slots: [slots[1:-1]] if len(slots) > 2 else [],
    "last": lambda slots: [slots[-1:]],
}
"""The sets of slots of a source for each of which there is a follow-up."""


def _turned(source: Prompt, _: Slots) -> Prompt | None:
    return replace(source, turned=not source.turned) if source.template.setting else None


def _rotated(source: Prompt, _: Slots) -> Prompt | None:
    """Return the source with the attributes of each template slot rotated among their positions."""
    slots = source.slots
    for gap in source.template.gaps.values():
        named = [slot for slot in slots if slot.name in gap.phrases]
        turned = iter(named[1:] + named[:1])
        slots = tuple(next(turned) if slot in named else slot for slot in slots)
    return source.with_slots(slots) if slots != source.slots else None


def _rephrased(source: Prompt, slots: Slots) -> Prompt | None:
    phrases = [
        {gap.phrase(slot.name, rephrased=rephrased) for rephrased in (False, True)}
        for gap in source.template.gaps.values()
        for slot in slots
        if slot.name in gap.phrases
    ]
    return replace(source, rephrased=True) if any(len(both) > 1 for both in phrases) else None


EDITS: Mapping[str, Callable[[Prompt, Slots], Prompt | None]] = {
    "kept": lambda source, slots: source.with_slots(slots),
    "removed": lambda source, slots: source.without(*slots),
    "opening": lambda source, slots: source.changing(slots, position=lambda _: "opening"),
    "closing": lambda source, slots: source.changing(slots, position=lambda _: "closing"),
    "negated": lambda source, slots: source.changing(slots, value=lambda slot: slot.contrast),
    "substituted": lambda source, slots: source.changing(slots, value=lambda slot: slot.substitute),
    "turned": _turned,
    "rotated": _rotated,
    "rephrased": _rephrased,
    "contextual": lambda source, _: replace(source, wording="contextual"),
    "structural": lambda source, _: replace(source, wording="structural"),
}
"""The follow-up that is made from a source and some of its slots, or None if there is none."""


@dataclass(frozen=True)
class Relation:
    """A metamorphic relation: sentiment and tone of the answers must not change between prompts.

    Follow-ups are compared with the source or, if the relation starts from a prompt without
    sensitive attributes (`from_bare`), with the source without these. `adds_or_removes` says
    whether follow-ups contain other information than the prompt that they are compared with. `made`
    and `example` describe how it rewrites a source.
    """

    name: str
    title: str
    family: str
    slots: str
    edit: str
    made: str
    example: list[str]
    from_bare: bool = False
    adds_or_removes: bool = False

    def original(self, source: Prompt) -> Prompt:
        """Return the prompt that the follow-ups of a source are compared with."""
        return source.with_slots(()) if self.from_bare else source

    def follow_ups(self, source: Prompt) -> list[Prompt]:
        """Return the rewritten prompts of a source, none if the relation does not apply to it."""
        edited = (EDITS[self.edit](source, slots) for slots in SLOTS[self.slots](source.slots))
        return [prompt for prompt in edited if prompt is not None]


_CATALOGUE = data_of(__file__)
RELATIONS = {
    name: Relation(name, **about, **_CATALOGUE["families"][about["family"]])
    for name, about in _CATALOGUE["relations"].items()
}
"""The relations by name, in the order of their numbers."""
