"""The words that mentions are found by, as `config/persons.yaml` and the descriptors list them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class PersonWords:
    """Nouns for persons, adjectives that stay next to a noun, and what is known of descriptors.

    Those of an attribute of a low rank go far from the noun, and each is `excluded` by what a text
    implies of a person. `plurals` are the nouns that stand for persons only in the plural.
    """

    nouns: frozenset[str]
    plurals: frozenset[str]
    classifying: frozenset[str]
    ranks: Mapping[str, int]
    excluded: Mapping[str, Collection[str]]

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any]) -> "PersonWords":
        """Return the words of a sheet of persons, and of the sheets of `descriptors`."""
        described = [
            (descriptor, group["excluded"])
            for descriptors in sheet["descriptors"]
            for group in descriptors["groups"].values()
            for descriptor in group["descriptors"]
        ]
        return cls(
            frozenset(noun for block in sheet["persons"] for noun in block["nouns"]),
            frozenset(
                noun
                for block in sheet["persons"]
                for noun in block["nouns"]
                if "plural" in block["implies"]
            ),
            frozenset(sheet["classifying"]),
            {one["attribute"]: one["rank"] for one in sheet["descriptors"]},
            dict(described),
        )
