"""The words that agree with a term: their roles, articles, and pronouns and nouns of a gender."""

import re
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from ..yaml_files import data_of
from .plain import Span

_CONSONANT_SOUND = re.compile(
    r"eu|ewe|on(?:e|ce)\b|ouija|u\b|u(?:bi|ga|k|ra|ro|ru|s[aeu]|t[eio])|uni(?![dmn])|uni(?:di|mo)"
)
"""Beginnings with a vowel letter and a consonant sound (a European, a user, a one-off)."""
_VOWEL_SOUND = re.compile(r"[aeiou]|heir|hono|hones|hour")
_SPELLED_VOWEL = "AEFHILMNORSX"
"""Letters whose names begin with a vowel."""
_OPENING = "\"'“‘«([*"


def is_right_before(gap: str) -> bool:
    """Return whether an article and a word with a folded `gap` between them belong together.

    An opening quotation mark or bracket may be between them.
    """
    return gap.rstrip(_OPENING).isspace()


def indefinite_article(phrase: str) -> str:
    """Return "a" or "an", depending on the first sound of `phrase`.

    A first word of several capitals is assumed to be spelled out (an MP, a UN envoy).
    """
    first = re.split(r"[\W_]", phrase, maxsplit=1)[0]
    if len(first) > 1 and first.isupper():
        return "an" if first[0] in _SPELLED_VOWEL else "a"
    lowered = phrase.lower()
    is_vowel = _VOWEL_SOUND.match(lowered) and not _CONSONANT_SOUND.match(lowered)
    return "an" if is_vowel else "a"


class Role(StrEnum):
    """The role of a span.

    `TERM`: the source term. `ARTICLE`: the indefinite article before it. The others refer to the
    same person: `SUBJECT` he, `OBJECT` him, `DETERMINER` his (book), `POSSESSIVE` his (it is his),
    `REFLEXIVE` himself, and their feminine forms; `NOUN` a gendered noun. `DESCRIPTOR`: an empty
    span before the next word, at which a descriptor is inserted.
    """

    TERM = "term"
    ARTICLE = "article"
    SUBJECT = "subject"
    OBJECT = "object"
    DETERMINER = "determiner"
    POSSESSIVE = "possessive"
    REFLEXIVE = "reflexive"
    NOUN = "noun"
    DESCRIPTOR = "descriptor"


class EditSpan(NamedTuple):
    """A span of the original, in characters, that is changed, and its role.

    Of descriptors at the same position, the one with the lowest `rank` comes first.
    """

    start: int
    end: int
    role: Role = Role.TERM
    rank: int = 0

    @property
    def span(self) -> Span:
        """Start and end."""
        return self.start, self.end

    def moved(self, offset: int) -> "EditSpan":
        """Return the span moved by `offset` characters, for a text with so many more in front."""
        return self._replace(start=self.start + offset, end=self.end + offset)


class Gender(StrEnum):
    """The gender of a word, as far as pronouns agree with it."""

    MASCULINE = "masculine"
    FEMININE = "feminine"


_FORMS = (Role.SUBJECT, Role.OBJECT, Role.DETERMINER, Role.POSSESSIVE, Role.REFLEXIVE)
_PRONOUNS = {
    Gender.MASCULINE: dict(zip(_FORMS, ("he", "him", "his", "his", "himself"), strict=True)),
    Gender.FEMININE: dict(zip(_FORMS, ("she", "her", "her", "hers", "herself"), strict=True)),
}
PRONOUNS = ("he", "him", "his", "himself", "she", "her", "hers", "herself")
"""The pronouns of chains; the first of them that occurs in a chain leads it."""
_COUNTERPARTS: dict[str, str] = dict(pair.split("/") for pair in data_of(__file__))
_OTHER = {feminine: masculine for masculine, feminine in _COUNTERPARTS.items()} | _COUNTERPARTS
"""The gendered noun of the other gender, by noun."""
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
    return word.lower() in _OTHER


def counterpart_of(noun: str) -> str:
    """Return the gendered noun (`is_noun`) of the other gender, in lower case."""
    return _OTHER[noun.lower()]


def counterpart(noun: str, *, target: str) -> str:
    """Return the gendered noun that fits `target`: itself, or that of the other gender."""
    return noun if gender_of(target) in (None, gender_of(noun)) else counterpart_of(noun)


def pronoun(found: str, *, role: Role, target: str) -> str:
    """Return the pronoun of a role that fits `target`; a neutral target keeps the one `found`."""
    gender = gender_of(target)
    return _PRONOUNS[gender][role] if gender else found
