"""A user's own word pairs, from a CSV file, and own groups, added to the sheets of the project."""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import Faults, InputError, no_file
from ..lines import check_columns, csv_rows, decoded_lines
from .curation import CONTROL, TERM, WORDS, Curation, Entry, Paired, Row, check_entries

VALUES = {
    "attribute": (
        re.compile("[a-z]+(_[a-z]+)*"),
        "a name of lower-case letters and single underscores inside",
    ),
    "source": (TERM, WORDS),
    "target": (TERM, WORDS),
}
"""The columns that a file must have, and the format of their values."""
GROUPS = ("source_group", "target_group")

Sheets = Mapping[str, Mapping[str, Any]]


class NumberedPair(NamedTuple):
    """A directed pair, with the number of its line."""

    line: int
    attribute: str
    source: Entry
    target: Entry

    @property
    def terms(self) -> tuple[str, str]:
        """Both terms in lower case, in which they are compared."""
        return self.source.term.lower(), self.target.term.lower()


@dataclass(frozen=True, kw_only=True)
class OwnPairs(Paired):
    """The word pairs that a user's file has for one attribute, instead of its curation.

    Word classes and SBIC's names are unknown.
    """

    rows: tuple[NumberedPair, ...]

    def pairs(self) -> Iterator[tuple[Entry, Entry]]:
        """Yield the directed pairs of entries."""
        return ((row.source, row.target) for row in self.rows)


def read_own_pairs(path: Path, *, attributes: Collection[str]) -> list[OwnPairs]:
    """Return the word pairs of a user's file, an item per attribute of the study.

    The file is CSV in UTF-8 with the columns `attribute`, `source` and `target`: each row is a
    directed pair. It may have `source_group` and `target_group`; without these, the terms of an
    attribute are one group. Other columns are not read, nor are other attributes than the study's.

    Raises `InputError` for a missing column, all values that cannot be used, and an attribute
    without pairs. Pairs of a term with itself, repeated pairs and terms of two attributes are
    reported together, so that their rows can be removed at once.
    """
    rows = _read(path)
    found = sorted({row.attribute for row in rows})
    for attribute in attributes:
        if attribute not in found:
            raise InputError(
                where=str(path),
                found=f"pairs of {', '.join(found) or 'no attribute'}",
                expected=f"pairs of each attribute of the study, also of '{attribute}'",
                fix="Add them, or remove the attribute from the configuration.",
            )
    _check_rows([row for row in rows if row.attribute in attributes], path=path)
    return [
        OwnPairs(
            path=path,
            attribute=attribute,
            sbic={entry.group: () for row in own for entry in (row.source, row.target)},
            rows=tuple(own),
        )
        for attribute in attributes
        for own in ([row for row in rows if row.attribute == attribute],)
    ]


def _read(path: Path) -> list[NumberedPair]:
    if not path.is_file():
        raise no_file(path, expected="word pairs", fix="Correct the path in the configuration.")
    read: list[NumberedPair] = []
    faults = Faults(str(path))
    with faults.noted(), path.open("rb") as file:
        lines = decoded_lines(file, location=str(path))
        for location, row in csv_rows(lines, where=str(path), columns=(), faults=faults):
            # Both terms have a group, or neither does.
            needed = (*VALUES, *GROUPS) if set(GROUPS) & set(row) else tuple(VALUES)
            fix = f"Add it: a file of pairs has the columns {', '.join(needed)}."
            check_columns(row, columns=needed, location=f"{path}, line 1", fix=fix)
            with faults.noted():
                read.append(_row(row, location=location))
    faults.raise_all()
    return read


def _row(row: Mapping[str, str], *, location: str) -> NumberedPair:
    for column, (pattern, meaning) in VALUES.items():
        if not pattern.fullmatch(row[column]):
            raise InputError(
                where=f"{location}, column '{column}'",
                found=f"{row[column]!r:.60}" if row[column] else "nothing",
                expected=meaning,
                fix="Correct the row, or remove it.",
            )
    attribute = row["attribute"]
    source, target = (
        Entry(row.get(f"{side}_group") or attribute, row[side], "") for side in ("source", "target")
    )
    return NumberedPair(int(location.rpartition(" ")[2]), attribute, source, target)


def _check_rows(rows: Sequence[NumberedPair], *, path: Path) -> None:
    wrong = {
        "a pair of a term with itself": [row.line for row in rows if row.terms[0] == row.terms[1]],
        "a repeated pair": _duplicates(rows),
        "a term of two attributes": _strays(rows),
    }
    lines = sorted({line for found in wrong.values() for line in found})
    if lines:
        kinds = [f"{kind} ({_numbered(found)})" for kind, found in wrong.items() if found]
        raise InputError(
            where=f"{path}, {_numbered(lines)}",
            found=" and ".join(kinds),
            expected="pairs of two terms, each pair once and each term in one attribute",
            fix="Remove these rows.",
        )


def _duplicates(rows: Sequence[NumberedPair]) -> list[int]:
    first: dict[tuple[str, str, str], int] = {}
    return [
        row.line
        for row in rows
        if first.setdefault((row.attribute, *row.terms), row.line) != row.line
    ]


def _strays(rows: Sequence[NumberedPair]) -> list[int]:
    """Return the lines of terms that another attribute has in more rows (or in as many, first)."""
    uses: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for term in row.terms:
            uses[term][row.attribute] += 1
    owners = {term: counts.most_common(1)[0][0] for term, counts in uses.items()}
    return [row.line for row in rows if any(owners[term] != row.attribute for term in row.terms)]


def _numbered(lines: Sequence[int]) -> str:
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"


def add_descriptors(sheets: Sheets, own: Sheets) -> dict[str, dict[str, Any]]:
    """Return the sheets of descriptors by path, with the groups of own sheets added.

    A neutral descriptor that is also one of an own group is left out, with a warning.
    """
    added = {
        path: _without_own(sheet, own, path=path)
        if sheet["attribute"] == CONTROL
        else {**sheet, "groups": dict(sheet["groups"])}
        for path, sheet in sheets.items()
    }
    for path, sheet in own.items():
        known = {one["attribute"]: one for one in added.values()}
        target = known.get(sheet["attribute"])
        if target is None:
            _check_several(sheet, path=path)
            target = added[path] = {**sheet, "groups": {}}
        for name, words in sheet["groups"].items():
            before = target["groups"].get(name, {"descriptors": [], "excluded": []})
            target["groups"][name] = {
                "descriptors": [*before["descriptors"], *words],
                "excluded": sorted({*before["excluded"], *sheet["excluded"].get(name, ())}),
            }
    return added


def _without_own(sheet: Mapping[str, Any], own: Sheets, *, path: str) -> dict[str, Any]:
    words = {
        word.lower() for one in own.values() for group in one["groups"].values() for word in group
    }
    groups = {
        name: {**group, "descriptors": [w for w in group["descriptors"] if w.lower() not in words]}
        for name, group in sheet["groups"].items()
    }
    left = {name: group for name, group in groups.items() if group["descriptors"]}
    dropped = [name for name in groups if name not in left]
    if dropped:
        logging.warning("%s: left out, as groups of yours have them: %s", path, ", ".join(dropped))
    return {**sheet, "groups": left}


def as_curation(sheet: Mapping[str, Any], *, path: str) -> Curation:
    """Return the curation of an own sheet, in which each term pairs with those of other groups."""
    _check_several(sheet, path=path)
    curation = Curation(
        path=Path(path),
        attribute=sheet["attribute"],
        sbic=dict.fromkeys(sheet["groups"], ()),
        rows=(Row(sheet["word_class"], sheet["groups"], aligned=False),),
    )
    check_entries(curation)
    return curation


def _check_several(sheet: Mapping[str, Any], *, path: str) -> None:
    if len(sheet["groups"]) < 2:
        raise InputError(
            where=f"{path}, key 'groups'",
            found=f"the only group '{next(iter(sheet['groups']))}'",
            expected="two groups or more, as groups are compared with each other",
            fix="Add the group that it is to be compared with.",
        )
