"""The prompts that metamorphic relations rewrite."""

from typing import Annotated, Literal

from pydantic import Field

from .types import ListTag, Sheet, TextTag, by_type, text

AttributeName = Annotated[
    str,
    text(r"^[a-z]+(_[a-z]+)*$", name="name", about="a name of lower-case letters and underscores"),
]
Words = Annotated[
    str, text(r"^\S(.*\S)?$", name="wording", about="words without white space around them")
]
"""Words in which `{name}` and `{adjective}` stand for a value."""
Phrase = Annotated[
    Annotated[Words, TextTag] | Annotated[list[Words], Field(min_length=2, max_length=2), ListTag],
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

    clause: Words
    """what follows "someone who" for a person with a value of it; `{name}` and `{adjective}` stand
    for the value"""
    values: dict[Words, Value] = Field(min_length=2)
    """its values by name"""


class Gap(Sheet):
    """A slot in a template."""

    join: Literal["list", "commas"] = "list"
    """how several phrases are joined: as a list (a, b, and c), or by commas alone as adjectives"""
    bare: str = ""
    """the text of the slot without any phrase"""
    phrases: dict[AttributeName, Phrase] = Field(min_length=1)
    """the phrase of each attribute that the slot can hold, in their order in the text"""


class PromptTemplate(Sheet):
    """A template of prompts. A slot is written as its name in braces."""

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


class RelationsSheet(Sheet):
    """Prompts about people with sensitive attributes."""

    attributes: dict[AttributeName, SensitiveAttribute] = Field(min_length=1)
    """the sensitive attributes by name"""
    templates: dict[AttributeName, PromptTemplate] = Field(min_length=1)
    """the templates by name"""
