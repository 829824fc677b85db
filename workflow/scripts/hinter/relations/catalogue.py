"""The metamorphic relations of Reddy, Srinivasan and Kanewala (2025), from catalogue.yaml."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from ..yaml_files import data_of
from .prompt import Prompt, Trait

INFORMATION = {True: "added or removed", False: "kept"}
"""What happens to the information in a prompt, by whether a relation adds or removes any."""

Traits = tuple[Trait, ...]


def _several(traits: Traits) -> Iterator[Traits]:
    for size in range(2, len(traits) + 1):
        yield from combinations(traits, size)


TRAITS: Mapping[str, Callable[[Traits], Iterable[Traits]]] = {
    "all": lambda traits: [traits],
    "each": lambda traits: [(trait,) for trait in traits],
    "several": _several,
    "first": lambda traits: [traits[:1]],
    "middle": lambda traits: [traits[1:-1]] if len(traits) > 2 else [],
    "last": lambda traits: [traits[-1:]],
}
"""The sets of traits of a source for each of which there is a follow-up."""


def _turned(source: Prompt, _: Traits) -> Prompt | None:
    return replace(source, turned=not source.turned) if source.template.setting else None


def _rotated(source: Prompt, _: Traits) -> Prompt | None:
    """Return the source with the traits in each slot of its template rotated."""
    traits = source.traits
    for gap in source.template.gaps.values():
        named = [trait for trait in traits if trait.name in gap.phrases]
        turned = iter(named[1:] + named[:1])
        traits = tuple(next(turned) if trait in named else trait for trait in traits)
    return source.with_traits(traits) if traits != source.traits else None


def _rephrased(source: Prompt, traits: Traits) -> Prompt | None:
    phrases = [
        {gap.phrase(trait.name, rephrased=rephrased) for rephrased in (False, True)}
        for gap in source.template.gaps.values()
        for trait in traits
        if trait.name in gap.phrases
    ]
    return replace(source, rephrased=True) if any(len(both) > 1 for both in phrases) else None


EDITS: Mapping[str, Callable[[Prompt, Traits], Prompt | None]] = {
    "kept": lambda source, traits: source.with_traits(traits),
    "removed": lambda source, traits: source.without(*traits),
    "opening": lambda source, traits: source.changing(traits, position=lambda _: "opening"),
    "closing": lambda source, traits: source.changing(traits, position=lambda _: "closing"),
    "negated": lambda source, traits: source.changing(traits, value=lambda trait: trait.contrast),
    "substituted": lambda source, traits: source.changing(
        traits, value=lambda trait: trait.substitute
    ),
    "turned": _turned,
    "rotated": _rotated,
    "rephrased": _rephrased,
    "contextual": lambda source, _: replace(source, wording="contextual"),
    "structural": lambda source, _: replace(source, wording="structural"),
}
"""The follow-up that is made from a source and some of its traits, or None if there is none."""


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
    traits: str
    edit: str
    made: str
    example: list[str]
    from_bare: bool = False
    adds_or_removes: bool = False

    def original(self, source: Prompt) -> Prompt:
        """Return the prompt that the follow-ups of a source are compared with."""
        return source.with_traits(()) if self.from_bare else source

    def follow_ups(self, source: Prompt) -> list[Prompt]:
        """Return the rewritten prompts of a source, none if the relation does not apply to it."""
        edited = (EDITS[self.edit](source, traits) for traits in TRAITS[self.traits](source.traits))
        return [prompt for prompt in edited if prompt is not None]


_CATALOGUE = data_of(__file__)
RELATIONS = {
    name: Relation(name, **about, **_CATALOGUE["families"][about["family"]])
    for name, about in _CATALOGUE["relations"].items()
}
"""The relations by name, in the order of their numbers."""
