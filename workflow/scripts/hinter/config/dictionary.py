"""The sheets of words: terms of attributes, nouns and descriptors of persons, words of rules."""

from typing import Annotated, Literal

from pydantic import Field

from .types import Attribute, Distinct, Sheet, Whole

Words = Annotated[list[str], Field(min_length=1)]
WordClass = Annotated[
    Literal[
        "adjective", "adverb", "noun_plural", "noun_singular", "preposition", "pronoun", "verb"
    ],
    Field(description="what the terms are"),
]

Word = Annotated[str, Field(min_length=1)]
DistinctWords = Annotated[Distinct[Word], Field(min_length=1)]
NoEmptyWords = Annotated[list[Word], Field(min_length=1)]


class Group(Sheet):
    """A group of an attribute."""

    sbic: list[str]
    """names of this group in SBIC"""


class Aligned(Sheet):
    """Rows of terms that replace each other."""

    form: Literal["aligned"]
    """rows of terms that replace each other"""
    word_class: WordClass
    terms: list[Annotated[dict[str, str], Field(min_length=2)]] = Field(min_length=1)
    """rows that give one term per group"""


class Product(Sheet):
    """Terms that replace every term of all other groups."""

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
    """groups by other attribute; in a study of both attributes, the other one loses these groups,
    as this file has their terms"""
    counts_as: dict[Attribute, dict[str, str]] = Field(default={})
    """attributes as which this one may count, each with the names of its groups for the groups of
    this file: in a study that has this attribute in `merged`"""
    groups: dict[str, Group]
    """the groups of the attribute"""
    pairs: list[Annotated[Aligned | Product, Field(discriminator="form")]] = Field(min_length=1)
    """blocks of terms and how they form word pairs"""


class Persons(Sheet):
    """Nouns that imply the same about a person."""

    implies: Distinct[Word]
    """what these nouns imply about a person; descriptors that exclude it are not combined with
    them"""
    nouns: DistinctWords
    """nouns for one person, in the singular"""


class PersonsSheet(Sheet):
    """Nouns for persons, and the adjectives before them."""

    persons: list[Persons] = Field(min_length=1)
    """nouns by what they imply"""
    classifying: DistinctWords
    """adjectives that stay next to the noun: descriptors are inserted before them"""


class Descriptors(Sheet):
    """A group, and the words that describe a person of it."""

    descriptors: DistinctWords
    """adjectives that are inserted before a noun"""
    excluded: Distinct[Word]
    """what a noun must not imply to get these adjectives"""


class DescriptorSheet(Sheet):
    """The descriptors of one attribute."""

    attribute: Attribute
    rank: Whole
    """their position among the descriptors of a person: those of a lower rank come first"""
    groups: dict[str, Descriptors] = Field(min_length=2)
    """the groups of the attribute"""


class GroupsSheet(Sheet):
    """Groups of a user, of an attribute of the project or of another one."""

    attribute: Attribute
    groups: dict[str, DistinctWords] = Field(min_length=1)
    """the words of each group: adjectives that describe a person, or terms to replace"""
    excluded: dict[str, Distinct[Word]] = Field(default={})
    """by group, what a noun must not imply to get its adjectives (see config/persons.yaml)"""
    rank: Whole = 50
    """position among the descriptors of a person: those of a lower rank come first"""
    word_class: WordClass = "adjective"
    """what the words are, if terms are replaced"""


class Country(Sheet):
    """A country or people."""

    demonyms: NoEmptyWords
    """its adjectives and the names of its people"""
    names: NoEmptyWords
    """names that show that a text is about it, matched in their case"""


class OccurrencesSheet(Sheet):
    """Words that the rules of `mutation.occurrences` use."""

    compounds: NoEmptyWords
    """fixed expressions: a term inside one is left alone (compound)"""
    countries: dict[str, Country]
    """demonyms, and names that show that a text is about their country (country_named)"""
    languages: NoEmptyWords
    """demonyms that are also names of languages (language)"""
    people: NoEmptyWords
    """nouns for one person of any gender, which a pronoun may refer to"""
    occupations: list[NoEmptyWords]
    """rows of occupations: coherent substitution replaces one only by others of its rows"""
    attributes: dict[str, NoEmptyWords]
    """by attribute, words that state it: a person to whom the text applies one of them is not
    described (told_of_person)"""
