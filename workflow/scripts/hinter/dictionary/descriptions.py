"""Descriptors of persons: the groups of one attribute, and the nouns that they describe."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from ..errors import InputError
from .curation import Entry, Paired, check_entry

UNDESCRIBED = "undescribed"
"""The group of persons whose attribute a text does not state."""


@dataclass(frozen=True, kw_only=True)
class Descriptions(Paired):
    """The descriptors of one attribute, and blocks of nouns with the attributes that these imply.

    A pair puts a descriptor before a noun, or replaces a descriptor of another group.
    """

    groups: Mapping[str, Mapping[str, Sequence[str]]]
    persons: Sequence[Mapping[str, Sequence[str]]]

    def pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Yield the directed pairs: of a noun and a descriptor, and of descriptors of two groups.

        A descriptor does not go before nouns that imply what it excludes.
        """
        for name, group in self.groups.items():
            for noun in self._nouns(group):
                for descriptor in self._of(name):
                    yield noun, descriptor
        for name, other in permutations(self.groups, 2):
            for descriptor in self._of(name):
                for target in self._of(other):
                    yield descriptor, target

    def entries(self) -> set[Entry]:
        """Return every noun and descriptor, without making their many pairs."""
        nouns = {noun for group in self.groups.values() for noun in self._nouns(group)}
        return nouns.union(*map(self._of, self.groups))

    def _nouns(self, group: Mapping[str, Sequence[str]]) -> list[Entry]:
        """Return the nouns that do not imply what the descriptors of a group exclude."""
        return [
            Entry(UNDESCRIBED, noun, "noun_singular")
            for block in self.persons
            if set(block["implies"]).isdisjoint(group["excluded"])
            for noun in block["nouns"]
        ]

    def _of(self, group: str) -> list[Entry]:
        return [
            Entry(group, descriptor, "adjective")
            for descriptor in self.groups[group]["descriptors"]
        ]


def check_descriptions(
    sheets: Mapping[str, Mapping[str, Any]], *, persons: Mapping[str, Any], where: str
) -> list[Descriptions]:
    """Return the descriptions of the sheets of descriptors, by path, and of persons at `where`.

    Raises `InputError` for a term that is not made of plain words, that occurs twice, or that
    describes nobody, as every noun implies what it excludes.
    """
    owners: dict[str, str] = {}
    for block in persons["persons"]:
        for noun in block["nouns"]:
            _own(noun, path=where, owners=owners)
    found = []
    for path, sheet in sheets.items():
        one = Descriptions(
            path=Path(path),
            attribute=sheet["attribute"],
            sbic=dict.fromkeys([UNDESCRIBED, *sheet["groups"]], ()),
            groups=sheet["groups"],
            persons=persons["persons"],
        )
        for name, group in one.groups.items():
            for descriptor in group["descriptors"]:
                _own(descriptor, path=path, owners=owners)
            if not one._nouns(group):
                raise InputError(
                    where=f"{path}, group '{name}'",
                    found=f"`excluded` with {', '.join(group['excluded'])}",
                    expected="a noun that its descriptors can describe",
                    fix=f"Shorten the list, or add nouns to {where}.",
                )
        for entry in sorted(one.entries(), key=lambda entry: (entry.group, entry.term)):
            check_entry(entry, curation=one)
        found.append(one)
    return found


def _own(word: str, *, path: str, owners: dict[str, str]) -> None:
    if word.lower() in owners:
        raise InputError(
            where=f"{path}, '{word}'",
            found=f"a word that is in {owners[word.lower()]} already",
            expected="each noun and descriptor once",
            fix="Remove one of them.",
        )
    owners[word.lower()] = path
