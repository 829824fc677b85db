"""English words that carry a person's gender: pronouns, titles, and nouns with a counterpart."""

from enum import StrEnum
from functools import cache

from ..yaml_files import data_of
from .roles import Role


class Gender(StrEnum):
    """The gender of a word, as far as pronouns agree with it."""

    MASCULINE = "masculine"
    FEMININE = "feminine"


_PRONOUNS = {
    Gender.MASCULINE: {
        Role.SUBJECT: "he",
        Role.OBJECT: "him",
        Role.DETERMINER: "his",
        Role.POSSESSIVE: "his",
        Role.REFLEXIVE: "himself",
    },
    Gender.FEMININE: {
        Role.SUBJECT: "she",
        Role.OBJECT: "her",
        Role.DETERMINER: "her",
        Role.POSSESSIVE: "hers",
        Role.REFLEXIVE: "herself",
    },
}
PRONOUNS = ("he", "him", "his", "himself", "she", "her", "hers", "herself")
"""The pronouns of chains; the first of them that occurs in a chain leads it."""
_COUNTERPARTS: dict[str, str] = dict(pair.split("/") for pair in data_of(__file__))
_MASCULINE_OF = {feminine: masculine for masculine, feminine in _COUNTERPARTS.items()}
_GENDERS = (
    dict.fromkeys([*_COUNTERPARTS, "mr", "male", "bridegroom", "guy"], Gender.MASCULINE)
    | dict.fromkeys([*_COUNTERPARTS.values(), "mrs", "ms", "female", "mum"], Gender.FEMININE)
    | {form: gender for gender, forms in _PRONOUNS.items() for form in forms.values()}
)


@cache
def gender_of(phrase: str) -> Gender | None:
    """Return the gender of the first gendered word of a word or phrase in the singular."""
    words = phrase.lower().split()
    return next((_GENDERS[word] for word in words if word in _GENDERS), None)


def is_noun(word: str) -> bool:
    """Return whether a word is a gendered noun that has a counterpart."""
    lowered = word.lower()
    return lowered in _COUNTERPARTS or lowered in _MASCULINE_OF


def counterpart_of(noun: str) -> str:
    """Return the gendered noun (`is_noun`) of the other gender, in lower case."""
    lowered = noun.lower()
    return _COUNTERPARTS.get(lowered) or _MASCULINE_OF[lowered]


def counterpart(noun: str, *, target: str) -> str:
    """Return the gendered noun that fits `target`: itself, or that of the other gender."""
    return noun if gender_of(target) in (None, gender_of(noun)) else counterpart_of(noun)


def pronoun(found: str, *, role: Role, target: str) -> str:
    """Return the pronoun of a role that fits `target`; a neutral target keeps the one `found`."""
    gender = gender_of(target)
    return _PRONOUNS[gender][role] if gender else found
