"""The words that mentions are found by, as `config/persons.yaml` and the descriptors list them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class PersonWords:
    """Nouns for persons, adjectives that stay next to a noun, and each attribute's rank.

    Descriptors of a low rank go far from the noun.
    """

    nouns: frozenset[str]
    classifying: frozenset[str]
    ranks: Mapping[str, int]

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any]) -> "PersonWords":
        """Return the words of a sheet of persons with the `ranks` of descriptors."""
        return cls(
            frozenset(noun for block in sheet["persons"] for noun in block["nouns"]),
            frozenset(sheet["classifying"]),
            sheet["ranks"],
        )
