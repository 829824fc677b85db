"""The prompts that metamorphic relations rewrite."""

from typing import Annotated, Literal

from pydantic import Field

from .types import ListTag, Sheet, TextTag, by_type, text

AttributeName = Annotated[
    str,
    text(r"^[a-z]+(_[a-z]+)*$", name="name", about="a name of lower-case letters and underscores"),
]
Words = Annotated[
    str, text(r"^\S(.*\S)?$", name="wording", about="words without space around them")
]
"""Words with `{name}` and `{adjective}` in the place of a value."""
Phrase = Annotated[
    Annotated[Words, TextTag] | Annotated[list[Words], Field(min_length=2, max_length=2), ListTag],
    by_type,
    Field(description="the phrase, or it and another one of the same meaning"),
]


class Value(Sheet):
    """A value of a sensitive attribute."""

    adjective: Words | None = None
    """the adjective to the value's name (Jewish to Judaism); null is the name itself"""
    contrast: str
    """the other value that negation puts in its place"""


class SensitiveAttribute(Sheet):
    """A sensitive attribute."""

    clause: Words
    """what a person with a value of it does, after "someone who"; `{name}` and `{adjective}` stand
    for the value"""
    values: dict[Words, Value] = Field(min_length=2)
    """its values by name"""


class Gap(Sheet):
    """A gap in a template."""

    join: Literal["list", "commas"] = "list"
    """how several phrases are joined: as a list (a, b, and c), or by commas alone as adjectives"""
    bare: str = ""
    """what stands there without any phrase"""
    phrases: dict[AttributeName, Phrase] = Field(min_length=1)
    """the phrase of each attribute that can stand there, in the order in which they do"""


class PromptTemplate(Sheet):
    """A template of prompts; a gap stands in its words as its name in braces."""

    printed: bool = False
    """whether the paper prints it"""
    main: Words
    """its main clause, without a capital and an end"""
    setting: Words | None = None
    """the context that can stand before or after the main clause"""
    setting_first: bool = False
    """whether the setting stands before the main clause"""
    end: Literal["?", "."] = "?"
    """how the sentence ends"""
    contextual: Words
    """the main clause in other words"""
    structural: Words
    """the main clause in another grammatical form"""
    gaps: dict[AttributeName, Gap] = Field(min_length=1)
    """its gaps by name"""


class RelationsSheet(Sheet):
    """Prompts about people with sensitive attributes."""

    attributes: dict[AttributeName, SensitiveAttribute] = Field(min_length=1)
    """the sensitive attributes by name"""
    templates: dict[AttributeName, PromptTemplate] = Field(min_length=1)
    """the templates by name"""
