"""Sheets of one attribute, written by hand: curation files of terms, and descriptors of persons."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, permutations, product
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError

WORD = r"[^\W_]+"
TERM = re.compile(rf"{WORD}(?:[ '’-]{WORD})*")
WORDS = "words of letters and digits joined by single spaces, hyphens or apostrophes"
"""What a term is, in words."""
CONTROL = "control"
"""The attribute of neutral word pairs."""
UNDESCRIBED = "undescribed"
"""The group of persons whose attribute a text does not state."""


class Row(NamedTuple):
    """Terms by group, each of which pairs with every term of the other groups.

    An `aligned` row has one term for each group.
    """

    word_class: str
    terms: Mapping[str, Sequence[str]]
    aligned: bool

    def pairs(self) -> Iterator[tuple["Entry", "Entry"]]:
        """Yield the directed pairs of entries."""
        for (group, terms), (other, targets) in permutations(self.terms.items(), 2):
            for term, target in product(terms, targets):
                yield Entry(group, term, self.word_class), Entry(other, target, self.word_class)


class Entry(NamedTuple):
    """A term in its group and word class."""

    group: str
    term: str
    word_class: str


@dataclass(frozen=True, kw_only=True)
class Paired(ABC):
    """The terms and pairs of one attribute, which the file `path` lists.

    `categories` are those of SBIC whose posts are counted; `sbic` has SBIC's names for each group.
    """

    path: Path
    attribute: str
    categories: tuple[str, ...] = ()
    sbic: Mapping[str, tuple[str, ...]]

    @abstractmethod
    def pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Yield the directed pairs of entries, duplicates included."""

    def entries(self) -> set[Entry]:
        """Return every term with its group and word class."""
        return {entry for pair in self.pairs() for entry in pair}


@dataclass(frozen=True, kw_only=True)
class Curation(Paired):
    """One attribute's curation file.

    `takes_over` has groups of other attributes, which these lose in a study of both. `counts_as`
    has the groups of other attributes that its own may count as.
    """

    rows: tuple[Row, ...]
    takes_over: Mapping[str, Sequence[str]] = field(default_factory=dict)
    counts_as: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Yield the directed pairs of entries, row by row, duplicates included."""
        return chain.from_iterable(row.pairs() for row in self.rows)


def _rows(block: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of an aligned block, or the single row of a product."""
    if block["form"] == "product":
        yield Row(block["word_class"], block["terms"], aligned=False)
    else:
        for row in block["terms"]:
            terms = {group: [term] for group, term in row.items()}
            yield Row(block["word_class"], terms, aligned=True)


def check_curation(sheet: Mapping[str, Any], *, path: str | Path) -> Curation:
    """Return the curation that the sheet in the file `path` describes.

    Raises `InputError` for an unknown group, a term that is not made of plain words, or an
    attribute other than the file's name.
    """
    if sheet["attribute"] != Path(path).stem:
        raise InputError(
            where=f"{path}, key 'attribute'",
            found=f"'{sheet['attribute']}'",
            expected=f"'{Path(path).stem}', the name of the file",
            fix="Correct the key or the file's name.",
        )
    curation = Curation(
        path=Path(path),
        attribute=sheet["attribute"],
        categories=tuple(sheet["categories"]),
        sbic={name: tuple(group["sbic"]) for name, group in sheet["groups"].items()},
        rows=tuple(row for block in sheet["pairs"] for row in _rows(block)),
        takes_over=sheet.get("takes_over", {}),
        counts_as=sheet.get("counts_as", {}),
    )
    check_entries(curation)
    return curation


def check_entries(curation: Paired) -> None:
    """Raise `InputError` for an unknown group, and for a term that is not made of plain words."""
    for entry in sorted(curation.entries()):
        if entry.group not in curation.sbic:
            raise InputError(
                where=f"{curation.path}, term '{entry.term}'",
                found=f"group '{entry.group}'",
                expected=f"one of the declared groups {', '.join(curation.sbic)}",
                fix="Declare the group under `groups`, or correct its name.",
            )
        if not TERM.fullmatch(entry.term):
            raise InputError(
                where=f"{curation.path}, group '{entry.group}'",
                found=f"the term '{entry.term}'",
                expected=WORDS,
                fix="Terms are matched literally, never as regular expressions: write them out.",
            )


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
        check_entries(one)
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
