"""The sheet of words by which rules tell which occurrences of a term count."""

from typing import Annotated

from pydantic import Field

from .types import Sheet

Words = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]


class Country(Sheet):
    """A country or people."""

    demonyms: Words
    """its adjectives and the names of its people"""
    names: Words
    """names that settle that a text speaks of it, in their case"""


class TermWords(Sheet):
    """Terms and the words that tell of their sense."""

    terms: Words
    """source terms, as the dictionary spells them"""
    words: Words
    """words, each whole; a star stands for any ending"""


class OccurrencesSheet(Sheet):
    """Words that the rules of `mutation.occurrences` go by."""

    compounds: Words
    """fixed expressions: a term inside one is left alone (compound)"""
    countries: dict[str, Country]
    """demonyms, and what in a text settles the country they speak of (country_named)"""
    languages: Words
    """demonyms that are names of languages, too (language)"""
    people: Words
    """nouns for one person of any gender, which a pronoun may refer to"""
    occupations: list[Words]
    """rows of occupations: coherent substitution replaces one only by others of its rows"""
    senses: list[TermWords]
    """terms that stand for a person only in a text that has one of the words (not_person)"""
    contexts: list[TermWords]
    """terms that are left alone where one of the words is in their sentence or one beside it
    (bound_by_context)"""
    attributes: dict[str, Words]
    """by attribute, words that tell of it: its terms are left alone where another of them is in
    their sentence or one beside it (attribute_told)"""
