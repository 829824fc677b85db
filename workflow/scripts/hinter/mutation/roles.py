"""What a place in a text has to do with the term that is replaced."""

from enum import StrEnum
from typing import NamedTuple

Span = tuple[int, int]
"""Start and end of an occurrence, in characters of the original."""


class Role(StrEnum):
    """What stands at a place.

    `TERM`: the source term. `ARTICLE`: the indefinite article before it. The others refer to the
    same person: `SUBJECT` he, `OBJECT` him, `DETERMINER` his (book), `POSSESSIVE` his (it is his),
    `REFLEXIVE` himself, and their feminine forms; `NOUN` a gendered noun. `DESCRIPTOR`:
    nothing yet, but a descriptor goes in before the word that follows.
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


class Place(NamedTuple):
    """Where a text is changed, in characters of the original, and what stands there.

    Of descriptors that go in at one place, that of the lowest `rank` comes first.
    """

    start: int
    end: int
    role: Role = Role.TERM
    rank: int = 0

    @property
    def span(self) -> Span:
        """Start and end."""
        return self.start, self.end

    def moved(self, offset: int) -> "Place":
        """Return the place where it is when `offset` characters are put before the text."""
        return self._replace(start=self.start + offset, end=self.end + offset)
