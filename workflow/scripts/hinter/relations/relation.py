"""What a metamorphic relation is, and where the relations are found."""

import pkgutil
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from .prompt import Prompt

Rewrite = Callable[[Prompt], Iterable[Prompt]]
ROOM = __name__.rpartition(".")[0]


@dataclass(frozen=True, kw_only=True)
class Relation:
    """A metamorphic relation: sentiment and tone of the answers must not change between prompts.

    `follow_ups` yields what a source is rewritten as, nothing where the relation does not apply to
    it. They are compared with the source or, where the relation starts from a prompt without
    sensitive attributes (`from_bare`), with the source stripped of them. `adds_or_removes` tells
    whether follow-ups hold other information than what they are compared with.
    """

    name: str
    title: str
    follow_ups: Rewrite
    from_bare: bool = False
    adds_or_removes: bool = False

    def original(self, source: Prompt) -> Prompt:
        """Return the prompt that the follow-ups of a source are compared with."""
        return source.with_slots(()) if self.from_bare else source


@cache
def relations() -> dict[str, tuple[str, Relation]]:
    """Return the family and the relation by the relation's name, in the order of their numbers.

    A family is a folder beside this module; each module in it ends in its `RELATION`.
    """
    found = [
        (family.name, _imported(family.name, module.name))
        for family in pkgutil.iter_modules(import_module(ROOM).__path__)
        if family.ispkg
        for module in pkgutil.iter_modules(import_module(f"{ROOM}.{family.name}").__path__)
    ]
    found.sort(key=lambda each: _number(each[1].name))
    return {relation.name: (family, relation) for family, relation in found}


def _imported(family: str, module: str) -> Relation:
    relation: Relation = import_module(f"{ROOM}.{family}.{module}").RELATION
    return relation


def _number(name: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", name)]
