"""What is decided on an occurrence of a term."""

from typing import NamedTuple

from .occurrences import Occurrence
from .roles import Place


class Ruling(NamedTuple):
    """An occurrence, the rule that leaves it alone (or None), and what changes with it."""

    occurrence: Occurrence
    rule: str | None
    places: tuple[Place, ...]
