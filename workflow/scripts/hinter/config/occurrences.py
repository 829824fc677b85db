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
    attributes: dict[str, Words]
    """by attribute, words that tell of it: a mentioned person of whom one is said is not described
    (told_of_person)"""
