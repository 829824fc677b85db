"""The rows of data/validity: annotated mutants as cells of CSV files."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..dictionary import WordPair, read_csv
from ..invariant import Comparator
from ..mutation import EditSpan, Mutant, Role, SpannedTerm, compose, span_terms
from .assessed_mutants import ASKED, ASSESSED_SCHEMA, BLIND, AssessedMutant, Assessment

_UNMADE = "unmade"
"""Replaces the rules if this mutant would not be made even without any rules."""

Row = Mapping[Any, Any]


def read_assessed(path: Path) -> list[AssessedMutant]:
    """Return the annotated mutants in the CSV file `path`, sorted by sample and mutant_id."""
    rows = read_csv(path)
    sizes = Counter(map(_stratum, rows))
    assessed = [_assessed(row, size=sizes[_stratum(row)]) for row in rows]
    return sorted(assessed, key=lambda mutant: (mutant.sample, mutant.mutant_id))


def _stratum(row: Row) -> tuple[str, str, str]:
    return row["sample"], row["dataset"], row["stratum"]


def _assessed(row: Row, *, size: int) -> AssessedMutant:
    """Return the mutant of a row, one of `size` in its stratum."""
    original_id, *pair_ids = row["mutant_id"].split("|")
    pairs = [*map(_pair, pair_ids, row["replacements"].split("; "))]
    terms = _terms(row["places"], pairs) if row["places"] else span_terms(row["original"], pairs)
    edits = compose(row["original"], zip(terms, (pair.target for pair in pairs), strict=True))
    return AssessedMutant(
        sample=row["sample"],
        dataset=row["dataset"],
        half=row["half"],
        stratum=row["stratum"],
        weight=int(row["population"]) / size,
        mutant=Mutant(original_id, row["original"], tuple(pair_ids), edits),
        pairs=tuple(pairs),
        rules=None if row["rules"] == _UNMADE else frozenset(row["rules"].split()),
        assessments=(_assessment(row, end="_1"), _assessment(row, end="_2")),
        final=_assessment(row),
    )


def _pair(pair_id: str, replacement: str) -> WordPair:
    """Return the pair of a replacement, with empty groups, as nothing uses these."""
    return WordPair(pair_id, pair_id.partition(":")[0], "", "", *replacement.split(" -> "))


def _terms(spans: str, pairs: Sequence[WordPair]) -> list[SpannedTerm]:
    """Return the terms of a mutant at the spans of a cell, each `pair:role:start-end`.

    Descriptors that are inserted at the same position are in their order.
    """
    spanned: list[list[EditSpan]] = [[] for _ in pairs]
    for rank, location in enumerate(spans.split()):
        pair, role, span = location.split(":")
        start, end = map(int, span.split("-"))
        spanned[int(pair)].append(EditSpan(start, end, Role(role), rank))
    return [
        SpannedTerm(pair.attribute, pair.source, tuple(own))
        for pair, own in zip(pairs, spanned, strict=True)
    ]


def _assessment(row: Row, *, end: str = "") -> Assessment:
    return Assessment(*(row[f"{question}{end}"] == "yes" for question in ASKED))


def read_blind(path: Path, *, assessed: Sequence[AssessedMutant]) -> pa.Table:
    """Return the rows of described mutants of the half `BLIND`, given the CSV file of annotations.

    All are valid by the tolerant comparator, and nothing but their soundness is known. Together
    they stand for as many mutants as the valid `assessed` ones of their dataset and order.
    """
    read = [row for row in read_csv(path) if row["half"] == BLIND]
    strata = [(row["dataset"], f"valid_{row['mutant_id'].count('|')}") for row in read]
    weights, sizes = defaultdict[tuple[str, str], float](float), Counter(strata)
    for mutant in assessed:
        if mutant.about_operator == "describe":
            weights[mutant.dataset, mutant.stratum] += mutant.weight
    rows = [
        {
            **{column: row[column] for column in ("dataset", "half", "mutant_id")},
            "sample": "described",
            "original_id": row["mutant_id"].partition("|")[0],
            "order": row["mutant_id"].count("|"),
            "stratum": stratum[1],
            "weight": (weights[stratum] or sizes[stratum]) / sizes[stratum],
            **dict.fromkeys(ASKED),
            "sound": row["sound"] == "yes",
            "people": 0,
            "about_operator": "describe",
            **dict.fromkeys(Comparator, "unchecked"),
            Comparator.TOLERANT: "valid",
        }
        for row, stratum in zip(read, strata, strict=True)
    ]
    return pa.Table.from_pylist(rows, ASSESSED_SCHEMA)
