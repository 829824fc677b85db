"""Templates with slots for sensitive attributes, and the prompts that relations make from them."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

GAP = re.compile(r"\{(\w+)\}")
WORDINGS = ("main", "contextual", "structural")
"""The forms of a template's main clause."""

Position = Literal["home", "opening", "closing"]


@dataclass(frozen=True)
class Value:
    """A value of an attribute: its name in the paper's Table I, and its adjective.

    `contrast` is the name of the value that negates it.
    """

    name: str
    adjective: str
    contrast: str


@dataclass(frozen=True)
class Attribute:
    """A sensitive attribute with its values by name, and the clause that states one of a person."""

    name: str
    clause: str
    values: Mapping[str, Value]


@dataclass(frozen=True)
class Gap:
    """A slot of a template, with its text for each attribute, and its text without any.

    `phrases` has two forms of each phrase, which are the same if the sheet has only one.
    """

    join: str
    bare: str
    phrases: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Template:
    """A sentence with slots: a main clause in three wordings, and a setting before or after it."""

    name: str
    wordings: Mapping[str, str]
    setting: str | None
    setting_first: bool
    end: str
    gaps: Mapping[str, Gap]

    @property
    def attributes(self) -> list[str]:
        """The names of its attributes, in their order in the sentence."""
        parts = [self.setting or "", self.wordings["main"]]
        sentence = " ".join(parts if self.setting_first else reversed(parts))
        return [name for gap in GAP.findall(sentence) for name in self.gaps[gap].phrases]

    def rephrases(self, attribute: str) -> bool:
        """Return whether it has two phrases with the same meaning for the attribute."""
        return any(len({*gap.phrases.get(attribute, ())}) > 1 for gap in self.gaps.values())


def fill(phrase: str, value: Value) -> str:
    """Return the phrase with the value in it."""
    return phrase.replace("{name}", value.name).replace("{adjective}", value.adjective)


def to_attributes(sheets: Mapping[str, Mapping[str, Any]]) -> dict[str, Attribute]:
    """Return the attributes of a checked sheet."""
    return {
        name: Attribute(
            name=name,
            clause=sheet["clause"],
            values={
                value: Value(value, about["adjective"] or value, about["contrast"])
                for value, about in sheet["values"].items()
            },
        )
        for name, sheet in sheets.items()
    }


def to_template(name: str, sheet: Mapping[str, Any]) -> Template:
    """Return the template of a checked sheet."""
    return Template(
        name=name,
        wordings={wording: sheet[wording] for wording in WORDINGS},
        setting=sheet["setting"],
        setting_first=sheet["setting_first"],
        end=sheet["end"],
        gaps={gap: _to_gap(about) for gap, about in sheet["gaps"].items()},
    )


def _to_gap(sheet: Mapping[str, Any]) -> Gap:
    phrases = {
        name: (phrase, phrase) if isinstance(phrase, str) else (phrase[0], phrase[1])
        for name, phrase in sheet["phrases"].items()
    }
    return Gap(join=sheet["join"], bare=sheet["bare"], phrases=phrases)


@dataclass(frozen=True)
class Slot:
    """An attribute of the person, and its value.

    At `home` it is in a slot of the template; otherwise it is in a clause that opens or closes the
    sentence. `substitute` is the name of the comparable value by which substitution replaces it.
    """

    attribute: Attribute
    value: Value
    substitute: str
    position: Position = "home"

    def holding(self, value: str) -> "Slot":
        """Return the slot with the value of this name."""
        return replace(self, value=self.attribute.values[value])


@dataclass(frozen=True)
class Prompt:
    """A template with attributes of a person, in their order in the text.

    `wording` is the form of the template's main clause. If `rephrased`, attributes are expressed by
    their second phrases; if `turned`, the setting is at the other end of the sentence.
    """

    template: Template
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

    def changing(self, change: Callable[[Slot], Slot], *, of: Iterable[Slot]) -> "Prompt":
        """Return the prompt with these of its attributes changed."""
        changed = tuple(of)
        return self.with_slots(change(slot) if slot in changed else slot for slot in self.slots)

    def moving(self, position: Position, *, of: Iterable[Slot]) -> "Prompt":
        """Return the prompt with these of its attributes moved to another position."""
        return self.changing(lambda slot: replace(slot, position=position), of=of)
