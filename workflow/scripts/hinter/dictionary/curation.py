"""Curation files: the groups, terms and pairs of one attribute, written by hand."""

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
CONTROL = "control"
"""The attribute of neutral word pairs."""


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


@dataclass(frozen=True)
class Entry:
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
    takes_over: Mapping[str, Sequence[str]]
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


def check_curation(sheet: Mapping[str, Any], *, path: str | Path, named: bool = True) -> Curation:
    """Return the curation that the sheet in the file `path` describes.

    Raises `InputError` for an unknown group, a term that is not made of plain words, or an
    attribute other than the file's name, if the file is `named` after it.
    """
    if named and sheet["attribute"] != Path(path).stem:
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
    for entry in sorted(curation.entries(), key=lambda entry: (entry.group, entry.term)):
        check_entry(entry, curation=curation)
    return curation


def check_entry(entry: Entry, *, curation: Paired) -> None:
    """Raise `InputError` for an unknown group, and for a term that is not made of plain words."""
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
            expected="words of letters and digits joined by single spaces, hyphens or apostrophes",
            fix="Terms are matched literally, never as regular expressions: write them out.",
        )
