"""The curation file of an attribute."""

from typing import Annotated, Literal

from pydantic import Field

from .types import Attribute, Sheet

Words = Annotated[list[str], Field(min_length=1)]
WordClass = Annotated[
    Literal[
        "adjective", "adverb", "noun_plural", "noun_singular", "preposition", "pronoun", "verb"
    ],
    Field(description="what the terms are"),
]


class Group(Sheet):
    """A group of an attribute."""

    sbic: list[str]
    """names that SBIC gives this group"""


class Aligned(Sheet):
    """Rows of terms that replace each other."""

    form: Literal["aligned"]
    """rows of terms that replace each other"""
    word_class: WordClass
    terms: list[Annotated[dict[str, str], Field(min_length=2)]] = Field(min_length=1)
    """rows that give one term per group"""


class Product(Sheet):
    """Terms that all replace those of all other groups."""

    form: Literal["product"]
    """all with all"""
    word_class: WordClass
    terms: dict[str, Words] = Field(min_length=2)
    """a list of terms per group"""


class DictionarySheet(Sheet):
    """The curation file of one attribute."""

    attribute: Attribute
    categories: list[str]
    """categories of SBIC whose posts are counted for this attribute"""
    takes_over: dict[Attribute, Words] = Field(default={})
    """groups by other attribute, which it loses in a study of both: this file has their terms"""
    groups: dict[str, Group]
    """the groups of the attribute"""
    pairs: list[Annotated[Aligned | Product, Field(discriminator="form")]] = Field(min_length=1)
    """blocks of terms and how they form word pairs"""
