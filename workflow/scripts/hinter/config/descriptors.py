"""The sheets of persons, and of what describes them."""

from typing import Annotated

from pydantic import Field

from .types import Attribute, Distinct, Sheet, Whole

Word = Annotated[str, Field(min_length=1)]
Words = Annotated[Distinct[Word], Field(min_length=1)]


class Persons(Sheet):
    """Nouns that imply the same."""

    implies: Distinct[Word]
    """what a person is who is called so, beside which descriptors that exclude it make no sense"""
    nouns: Words
    """nouns for one person, in the singular"""


class PersonsSheet(Sheet):
    """Nouns for persons, and the adjectives before them."""

    persons: list[Persons] = Field(min_length=1)
    """nouns by what they imply"""
    classifying: Words
    """adjectives that stay next to the noun: descriptors go before them"""


class Descriptors(Sheet):
    """A group and how a person of it is described."""

    descriptors: Words
    """adjectives that go before a noun"""
    excluded: Distinct[Word]
    """what nouns may not imply that these go before"""


class DescriptorSheet(Sheet):
    """The descriptors of one attribute."""

    attribute: Attribute
    rank: Whole
    """where they stand among the descriptors of a person: those of a low rank come first"""
    groups: dict[str, Descriptors] = Field(min_length=2)
    """the groups of the attribute"""
