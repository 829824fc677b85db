"""Templates: sentences with gaps for phrases about a person's sensitive attributes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

GAP = re.compile(r"\{(\w+)\}")
WORDINGS = ("main", "contextual", "structural")
"""The forms of a template's main clause."""


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
    """A gap of a template: what stands there for each attribute, and what without any.

    `phrases` has two forms of each phrase, which are the same where the sheet gives one.
    """

    join: str
    bare: str
    phrases: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Template:
    """A sentence with gaps: a main clause in three wordings, and a setting before or after it."""

    name: str
    wordings: Mapping[str, str]
    setting: str | None
    setting_first: bool
    end: str
    gaps: Mapping[str, Gap]

    @property
    def attributes(self) -> list[str]:
        """The names of its attributes, in the order in which they stand in the sentence."""
        parts = [self.setting or "", self.wordings["main"]]
        sentence = " ".join(parts if self.setting_first else reversed(parts))
        return [name for gap in GAP.findall(sentence) for name in self.gaps[gap].phrases]

    def rephrases(self, attribute: str) -> bool:
        """Tell whether it has two phrases of one meaning for the attribute."""
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
    phrases = {name: _two_forms(phrase) for name, phrase in sheet["phrases"].items()}
    return Gap(join=sheet["join"], bare=sheet["bare"], phrases=phrases)


def _two_forms(phrase: str | Sequence[str]) -> tuple[str, str]:
    first, second = (phrase, phrase) if isinstance(phrase, str) else phrase
    return first, second
