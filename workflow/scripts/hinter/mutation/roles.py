"""The role of a span in a text, in relation to the term that is replaced."""

from enum import StrEnum
from typing import NamedTuple

Span = tuple[int, int]
"""Start and end of an occurrence, in characters of the original."""


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
