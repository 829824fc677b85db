"""The prompts that relations make from templates: attributes of a person, and their positions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ..config import PromptTemplate, SensitiveAttribute

Position = Literal["home", "opening", "closing"]


@dataclass(frozen=True)
class Slot:
    """An attribute of the person by `name`, and the name of its value.

    At `home` it is in a slot of the template; otherwise it is in a clause that opens or closes the
    sentence. `substitute` is the name of the comparable value by which substitution replaces it.
    """

    name: str
    attribute: "SensitiveAttribute"
    value: str
    substitute: str
    position: Position = "home"

    @property
    def contrast(self) -> str:
        """The name of the value that negates its value."""
        return self.attribute.values[self.value].contrast

    def fill(self, phrase: str) -> str:
        """Return the phrase with the value in it."""
        adjective = self.attribute.values[self.value].adjective or self.value
        return phrase.replace("{name}", self.value).replace("{adjective}", adjective)


@dataclass(frozen=True)
class Prompt:
    """A template, by `name`, with attributes of a person in their order in the text.

    `wording` is the form of the template's main clause. If `rephrased`, attributes are expressed by
    their second phrases; if `turned`, the setting is at the other end of the sentence.
    """

    name: str
    template: "PromptTemplate"
    slots: tuple[Slot, ...] = ()
    wording: str = "main"
    rephrased: bool = False
    turned: bool = False

    def at(self, position: Position) -> tuple[Slot, ...]:
        """Return the attributes at this position of the sentence."""
        return tuple(slot for slot in self.slots if slot.position == position)

    def with_slots(self, slots: Iterable[Slot]) -> "Prompt":
        """Return the prompt with these attributes instead of its own."""
        return replace(self, slots=tuple(slots))

    def without(self, *removed: Slot) -> "Prompt":
        """Return the prompt without these attributes."""
        return self.with_slots(slot for slot in self.slots if slot not in removed)

    def changing(self, slots: Sequence[Slot], **fields: Callable[[Slot], Any]) -> "Prompt":
        """Return the prompt with some fields of these attributes made by functions of each."""
        return self.with_slots(
            replace(slot, **{name: made(slot) for name, made in fields.items()})
            if slot in slots
            else slot
            for slot in self.slots
        )
