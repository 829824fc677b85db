"""The rows of data/validity: annotated mutants as cells of a CSV file."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ..corpora import read_rows
from ..dictionary import WordPair
from ..errors import InputError
from ..lines import check_columns
from ..mutation import EditSpan, Mutant, Role, SpannedTerm, compose, span_terms
from .assessed_mutants import ASKED, HALVES, STRATA, AssessedMutant, Assessment

Value = TypeVar("Value")
MOST_DIGITS = 18

PLACED = ("coherent", "drafts", "described", "described_drafts")
"""The samples with a cell of spans; in the others, all occurrences of a term are replaced."""

_EDIT_SPAN = re.compile(
    rf"(?P<pair>[0-9]):(?P<role>{'|'.join(Role)}):(?P<start>[0-9]{{1,9}})-(?P<end>[0-9]{{1,9}})"
)

ANSWERS = {"yes": True, "no": False}
COLUMNS = ["sample", "dataset", "half", "mutant_id", "stratum", "population", "replacements"]
COLUMNS += ["places", "rules", "original", "mutant"]
COLUMNS += [f"{question}{end}" for question in ASKED for end in ("_1", "_2", "")]
_UNMADE = "unmade"
"""Replaces the rules if this mutant would not be made even without any rules."""


class Cells:
    """A row of a CSV file; `location` names file and line.

    Raises `InputError` if one of the `columns` is missing.
    """

    def __init__(self, location: str, row: Mapping[str, Any], *, columns: Sequence[str]) -> None:
        self._location, self._row = location, row
        check_columns(row, columns=columns, location=location, fix="Add it to the file.")

    def __getitem__(self, column: str) -> str:
        """Return the cell unchanged."""
        return str(self._row[column])

    def choose(self, column: str, among: Mapping[str, Value]) -> Value:
        """Return the value of the cell's text in `among`; raise `InputError` if it has none."""
        if self[column] not in among:
            raise self.error(column, expected=" or ".join(among))
        return among[self[column]]

    def count(self, column: str) -> int:
        """Return a whole number above 0; raise `InputError` for anything else."""
        cell = self[column]
        if not (cell.isascii() and cell.isdigit() and len(cell) <= MOST_DIGITS and int(cell)):
            raise self.error(column, expected="a whole number above 0")
        return int(cell)

    def error(self, column: str, *, expected: str, fix: str = "Correct the cell.") -> InputError:
        """Return the error with the content of the cell and what was expected."""
        return InputError(
            where=f"{self._location}, column '{column}'",
            found=f"'{self[column]:.200}'",
            expected=expected,
            fix=fix,
        )


def read_assessed(path: Path) -> list[AssessedMutant]:
    """Return the annotated mutants in the CSV file `path`, sorted by sample and mutant_id.

    Raises `InputError` for a missing column, a mutant that is twice in a sample, an unknown sample,
    half or stratum, a population that is not a number, differs within its stratum or is smaller
    than its number of rows, replacements that are not those of the mutant_id or do not make the
    mutant at the given spans, an answer other than yes or no, and a final answer that differs from
    both annotations.
    """
    rows = [Cells(location, row, columns=COLUMNS) for location, row in read_rows(path)]
    _check_keys(rows, path=path)
    weights = _weights(rows)
    assessed = [
        AssessedMutant(
            sample=row["sample"],
            dataset=row["dataset"],
            half=row.choose("half", {half: half for half in HALVES}),
            stratum=row["stratum"],
            weight=weights[_stratum(row)],
            mutant=_mutant(row, pairs),
            pairs=pairs,
            rules=None if row["rules"] == _UNMADE else frozenset(row["rules"].split()),
            assessments=(_assessment(row, end="_1"), _assessment(row, end="_2")),
            final=_final(row),
        )
        for row in rows
        for pairs in [_pairs(row)]
    ]
    return sorted(assessed, key=lambda mutant: (mutant.sample, mutant.mutant_id))


def _check_keys(rows: Sequence[Cells], *, path: Path) -> None:
    if not rows:
        raise InputError(
            where=str(path),
            found="no annotated mutant",
            expected="a row per annotated mutant",
            fix="Restore the file that came with the study.",
        )
    seen = Counter[tuple[str, str]]()
    for row in rows:
        key = row["sample"], row["mutant_id"]
        seen[key] += 1
        if seen[key] > 1:
            raise row.error(
                "mutant_id", expected="every mutant once per sample", fix="Remove one of the two."
            )


Stratum = tuple[str, str, str]
"""Sample, dataset and name of a stratum."""


def _stratum(row: Cells) -> Stratum:
    strata = row.choose("sample", STRATA)
    return row["sample"], row["dataset"], row.choose("stratum", {name: name for name in strata})


def _weights(rows: Sequence[Cells]) -> dict[Stratum, float]:
    """Return the number of mutants that each annotated one stands for, by stratum."""
    by_stratum = defaultdict[Stratum, list[Cells]](list)
    for row in rows:
        by_stratum[_stratum(row)].append(row)
    return {stratum: _weight(members) for stratum, members in by_stratum.items()}


def _weight(members: Sequence[Cells]) -> float:
    population = members[0].count("population")
    for row in members:
        if row.count("population") != population or population < len(members):
            raise row.error(
                "population",
                expected=f"the size of the stratum '{row['stratum']}': one number for all its rows,"
                f" at least the {len(members)} of them",
                fix="Correct the cell, or the stratum.",
            )
    return population / len(members)


def _pairs(row: Cells) -> tuple[WordPair, ...]:
    """Return the pairs, with empty groups, as nothing uses these."""
    pairs = []
    for pair_id, replacement in _replacements(row):
        attribute = pair_id.partition(":")[0]
        source, arrow, target = replacement.partition(" -> ")
        if not arrow or pair_id != f"{attribute}:{source}>{target}".replace(" ", "_"):
            raise row.error(
                "replacements",
                expected=f"'source -> target' of the pair {pair_id}",
                fix="Correct the cell, or the mutant_id.",
            )
        pairs.append(WordPair(pair_id, attribute, "", "", source, target))
    return tuple(pairs)


def _mutant(row: Cells, pairs: Sequence[WordPair]) -> Mutant:
    original, (original_id, *pair_ids) = row["original"], row["mutant_id"].split("|")
    terms = _terms(row, pairs) if row["sample"] in PLACED else span_terms(original, pairs)
    targets = [pair.target for pair in pairs]
    edits = compose(original, zip(terms, targets, strict=True))
    mutant = Mutant(original_id, original, tuple(pair_ids), edits)
    if row["mutant"] != mutant.text:
        raise row.error(
            "mutant", expected="the original with its replacements", fix="Correct one of the cells."
        )
    return mutant


def _terms(row: Cells, pairs: Sequence[WordPair]) -> list[SpannedTerm]:
    """Return the terms of a mutant at the spans in its cell, `pair:role:start-end`.

    Descriptors that are inserted at the same position are in their order.
    """
    found = [_EDIT_SPAN.fullmatch(location) for location in row["places"].split()]
    if not found or None in found:
        raise row.error("places", expected="spans such as 0:term:4-9 1:article:12-13")
    spanned: list[list[EditSpan]] = [[] for _ in pairs]
    for rank, location in enumerate(filter(None, found)):
        if int(location["pair"]) >= len(pairs):
            raise row.error("places", expected=f"pairs numbered from 0 to {len(pairs) - 1}")
        own = EditSpan(int(location["start"]), int(location["end"]), Role(location["role"]), rank)
        spanned[int(location["pair"])].append(own)
    return [
        SpannedTerm(pair.attribute, pair.source, tuple(spans))
        for pair, spans in zip(pairs, spanned, strict=True)
    ]


def _replacements(row: Cells) -> list[tuple[str, str]]:
    """Return each pair_id with its replacement."""
    pair_ids = row["mutant_id"].split("|")[1:]
    replacements = row["replacements"].split("; ")
    if len(pair_ids) != len(replacements):
        raise row.error(
            "replacements",
            expected=f"one for each of the {len(pair_ids)} pairs of the mutant_id, between '; '",
            fix="Correct the cell, or the mutant_id.",
        )
    return list(zip(pair_ids, replacements, strict=True))


def _assessment(row: Cells, *, end: str = "") -> Assessment:
    return Assessment(row.choose(f"grammar{end}", ANSWERS), row.choose(f"meaning{end}", ANSWERS))


def _final(row: Cells) -> Assessment:
    for question in ASKED:
        if row[question] not in (row[f"{question}_1"], row[f"{question}_2"]):
            raise row.error(question, expected="the answer of one of the two annotations")
    return _assessment(row)
