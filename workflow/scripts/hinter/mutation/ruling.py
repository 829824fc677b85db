"""What is decided on an occurrence of a term, or on a mention for an attribute."""

from typing import NamedTuple

from .combinations import PlacedTerm
from .occurrences import Occurrence
from .roles import Place


class Ruling(NamedTuple):
    """An occurrence, the rule that leaves it alone (or None), and what changes with it.

    `pairs` are the positions in the dictionary of the pairs it takes, None for all of its source.
    """

    occurrence: Occurrence
    rule: str | None
    places: tuple[Place, ...]
    pairs: tuple[int, ...] | None = None

    @property
    def term(self) -> PlacedTerm:
        """What mutants are made of."""
        return PlacedTerm(
            self.occurrence.attribute, self.occurrence.source, self.places, self.pairs
        )
