"""The sheet of prompts that metamorphic relations rewrite."""

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from .types import ListTag, Sheet, TextTag, by_type, fault, text, with_placeholders

BRACED = re.compile(r"\{[^}]*\}")
_OF_VALUES = {"{name}": "the name of the value", "{adjective}": "its adjective"}


def placeholders(words: str, *, key: str | None = None) -> list[str]:
    """Return the names in braces, with these; raise an error at a `key` for an unpaired brace."""
    if set("{}") & set(BRACED.sub("", words)):
        raise fault(
            key=key,
            found=f"an unpaired brace in '{words}'",
            expected="braces around a name, as in {name}",
            fix="Close or remove it.",
        )
    return BRACED.findall(words)


def _check_braces(words: str) -> str:
    placeholders(words)
    return words


AttributeName = Annotated[
    str,
    text(r"^[a-z]+(_[a-z]+)*$", name="name", about="a name of lower-case letters and underscores"),
]
Words = Annotated[
    str, text(r"^\S(.*\S)?$", name="wording", about="words without white space around them")
]
OfValues = Annotated[
    Words, AfterValidator(_check_braces), with_placeholders(_OF_VALUES, needed=1, form=BRACED)
]
"""Words in which `{name}` and `{adjective}` stand for a value."""
Phrase = Annotated[
    Annotated[OfValues, TextTag]
    | Annotated[list[OfValues], Field(min_length=2, max_length=2), ListTag],
    by_type,
    Field(description="the phrase, or a list of it and another one of the same meaning"),
]


class Value(Sheet):
    """A value of a sensitive attribute."""

    adjective: Words | None = None
    """the adjective of the value's name (Jewish for Judaism); null is the name itself"""
    contrast: str
    """the other value by which negation replaces it"""


class SensitiveAttribute(Sheet):
    """A sensitive attribute."""

    clause: OfValues
    """what follows "someone who" for a person with a value of it; `{name}` and `{adjective}` stand
    for the value"""
    values: dict[Words, Value] = Field(min_length=2)
    """its values by name"""

    @model_validator(mode="after")
    def _check_contrasts(self) -> Self:
        for name, value in self.values.items():
            others = [other for other in self.values if other != name]
            if value.contrast not in others:
                raise fault(
                    key=f"values.{name}.contrast",
                    found=f"'{value.contrast}'",
                    expected=f"another value of the attribute: {', '.join(others)}",
                    fix="Name the value that excludes it.",
                )
        return self


class Gap(Sheet):
    """A slot in a template."""

    join: Literal["list", "commas"] = "list"
    """how several phrases are joined: as a list (a, b, and c), or by commas alone as adjectives"""
    bare: str = ""
    """the text of the slot without any phrase"""
    phrases: dict[AttributeName, Phrase] = Field(min_length=1)
    """the phrase of each attribute that the slot can hold, in their order in the text"""

    def phrase(self, attribute: str, *, rephrased: bool) -> str:
        """Return the phrase of an attribute, or, if there is one, the other of the same meaning."""
        phrase = self.phrases[attribute]
        return phrase if isinstance(phrase, str) else phrase[rephrased]


class PromptTemplate(Sheet):
    """A template of prompts. A slot is written as its name in braces."""

    WORDINGS: ClassVar = ("main", "contextual", "structural")
    """The forms of its main clause."""
    LEAST: ClassVar = 2
    """How many attributes a source has at least, as in the paper."""

    printed: bool = False
    """whether the paper prints it"""
    main: Words
    """its main clause, without a capital letter at the start and without an end"""
    setting: Words | None = None
    """the context, which can come before or after the main clause"""
    setting_first: bool = False
    """whether the setting comes before the main clause"""
    end: Literal["?", "."] = "?"
    """how the sentence ends"""
    contextual: Words
    """the main clause in other words"""
    structural: Words
    """the main clause in another grammatical form"""
    gaps: dict[AttributeName, Gap] = Field(min_length=1)
    """its slots by name"""

    @property
    def attributes(self) -> list[str]:
        """The names of its attributes, in their order in the sentence."""
        parts = [self.setting or "", self.main]
        sentence = " ".join(parts if self.setting_first else reversed(parts))
        return [name for gap in placeholders(sentence) for name in self.gaps[gap[1:-1]].phrases]

    @model_validator(mode="after")
    def _check_gaps(self) -> Self:
        setting = placeholders(self.setting or "", key="setting")
        for wording in self.WORDINGS:
            braced = setting + placeholders(getattr(self, wording), key=wording)
            used = [gap[1:-1] for gap in braced]
            unknown = [gap for gap in used if gap not in self.gaps]
            if sorted(used) != sorted(self.gaps):
                raise fault(
                    key=wording,
                    found=f"an unknown slot '{unknown[0]}'"
                    if unknown
                    else f"slots {', '.join(used) or 'none'}",
                    expected=f"each of its slots once: {', '.join(self.gaps)}",
                    fix="Correct the wording, or add the slot under `gaps`.",
                )
        if len(self.attributes) < self.LEAST:
            raise fault(
                key="gaps",
                found=f"{len(self.attributes)} attribute",
                expected=f"at least {self.LEAST}, which relations can combine and permute",
                fix="Add phrases for another attribute.",
            )
        return self


class RelationsSheet(Sheet):
    """Prompts about people with sensitive attributes."""

    attributes: dict[AttributeName, SensitiveAttribute] = Field(min_length=1)
    """the sensitive attributes by name"""
    templates: dict[AttributeName, PromptTemplate] = Field(min_length=1)
    """the templates by name"""

    @model_validator(mode="after")
    def _check_attributes(self) -> Self:
        for name, template in self.templates.items():
            known: set[str] = set()
            for gap, about in template.gaps.items():
                for attribute in about.phrases:
                    if attribute not in self.attributes or attribute in known:
                        why = "a repeated" if attribute in known else "an unknown"
                        raise fault(
                            key=f"templates.{name}.gaps.{gap}.phrases.{attribute}",
                            found=f"{why} attribute",
                            expected=f"each of these at most once: {', '.join(self.attributes)}",
                            fix="Correct its name, or remove it.",
                        )
                    known.add(attribute)
        return self
