"""The structured prompt that relations rewrite: a template, its filled slots and its clauses."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from .template import Attribute, Template, Value

Place = Literal["home", "opening", "closing"]


@dataclass(frozen=True)
class Slot:
    """An attribute of the person, and its value.

    It is told at `home` in a gap of the template, or in a clause that opens or closes the sentence.
    `substitute` is the name of the comparable value that substitution puts in its place.
    """

    attribute: Attribute
    value: Value
    substitute: str
    place: Place = "home"

    def holding(self, value: str) -> "Slot":
        """Return the slot with the value of this name."""
        return replace(self, value=self.attribute.values[value])


@dataclass(frozen=True)
class Prompt:
    """A template with filled slots, in the order in which they are told.

    `wording` is the form of the template's main clause. If `rephrased`, attributes are told by
    their second phrases; if `turned`, the setting stands at the other end of the sentence.
    """

    template: Template
    slots: tuple[Slot, ...] = ()
    wording: str = "main"
    rephrased: bool = False
    turned: bool = False

    def at(self, place: Place) -> tuple[Slot, ...]:
        """Return the slots that are told in this place."""
        return tuple(slot for slot in self.slots if slot.place == place)

    def with_slots(self, slots: Iterable[Slot]) -> "Prompt":
        """Return the prompt with these slots in the place of its own."""
        return replace(self, slots=tuple(slots))

    def without(self, *removed: Slot) -> "Prompt":
        """Return the prompt without these slots."""
        return self.with_slots(slot for slot in self.slots if slot not in removed)

    def changing(self, change: Callable[[Slot], Slot], *, of: Iterable[Slot]) -> "Prompt":
        """Return the prompt with these of its slots changed."""
        changed = tuple(of)
        return self.with_slots(change(slot) if slot in changed else slot for slot in self.slots)

    def moving(self, place: Place, *, of: Iterable[Slot]) -> "Prompt":
        """Return the prompt with these of its slots told in another place."""
        return self.changing(lambda slot: replace(slot, place=place), of=of)
