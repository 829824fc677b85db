"""The capitals with which a sentence is parsed."""

from enum import StrEnum


class Capitals(StrEnum):
    """What becomes of a sentence's capitals before it is parsed; its length stays the same.

    `KEPT`: they are as they are written. `FIRST`: the first letter becomes a capital. `FIRST_ONLY`:
    the first character becomes a capital, and all other letters small. The authors' code has the
    last two, in two places.
    """

    KEPT = "kept"
    FIRST = "first"
    FIRST_ONLY = "first_only"

    def apply(self, sentence: str) -> str:
        """Return the sentence as it is parsed."""
        if self is Capitals.FIRST:
            first = next((i for i, each in enumerate(sentence) if each.isalpha()), 0)
            return sentence[:first] + _upper(sentence[first : first + 1]) + sentence[first + 1 :]
        if self is Capitals.FIRST_ONLY:
            return _upper(sentence[:1]) + "".join(map(_lower, sentence[1:]))
        return sentence


# A few letters grow in the other case, which would shift the places of all that follows.
def _upper(character: str) -> str:
    return upper if len(upper := character.upper()) == 1 else character


def _lower(character: str) -> str:
    return lower if len(lower := character.lower()) == 1 else character
