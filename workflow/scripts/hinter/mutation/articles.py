"""The indefinite article that an English word or phrase takes."""

import re

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
