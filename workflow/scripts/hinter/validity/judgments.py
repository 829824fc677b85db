"""The judgments of data/validity: in which mutants grammar and meaning survive."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ..corpora import read_rows
from ..dictionary import WordPair
from ..errors import InputError
from ..mutation import place_pairs, render
from .cells import Cells

DATASET = "imdb"
"""The dataset of the judged mutants."""

STRATA = ("valid", "border", "pos", "dep")
"""Valid by all comparators; by the tolerant one but not by all; discarded by it, with its reason.

Every mutant of the population is in one of them, for none has a sentence end moved.
"""

ANSWERS = {"yes": True, "no": False}
COLUMNS = ["mutant_id", "stratum", "population", "replacements", "original", "mutant"]
COLUMNS += [f"{question}{end}" for question in ("grammar", "meaning") for end in ("_1", "_2", "")]


class Reading(NamedTuple):
    """What a reading says of a mutant: whether its grammar and its meaning survive."""

    grammar: bool
    meaning: bool

    @property
    def survives(self) -> bool:
        """Whether the mutant does, for which both must."""
        return self.grammar and self.meaning


@dataclass(frozen=True)
class Judgment:
    """A judged mutant; `original` is what it changes of the original, sentence by line.

    It stands for `weight` mutants of its stratum. The two `readings` are blind of each other;
    `final` is what both say, or where they differ what a third one says.
    """

    mutant_id: str
    stratum: str
    weight: float
    original: str
    pairs: tuple[WordPair, ...]
    readings: tuple[Reading, Reading]
    final: Reading

    @property
    def original_id(self) -> str:
        """Key of the original."""
        return self.mutant_id.partition("|")[0]


def read_judgments(path: Path) -> list[Judgment]:
    """Return the judged mutants in the CSV file `path`, sorted by mutant_id.

    Raises `InputError` for a missing column, a mutant that stands there twice, an unknown stratum,
    a population that is no number, differs within its stratum or is less than was drawn of it,
    replacements that are not those of the mutant_id or do not make the mutant, an answer that is
    not yes or no, and a final one that neither reading gives.
    """
    rows = [Cells(place, row, columns=COLUMNS) for place, row in read_rows(path)]
    _check_keys(rows, path=path)
    weights = _weights(rows)
    judgments = [
        Judgment(
            mutant_id=row["mutant_id"],
            stratum=row["stratum"],
            weight=weights[row["stratum"]],
            original=row["original"],
            pairs=_pairs(row),
            readings=(_reading(row, end="_1"), _reading(row, end="_2")),
            final=_final(row),
        )
        for row in rows
    ]
    return sorted(judgments, key=lambda judgment: judgment.mutant_id)


def _check_keys(rows: Sequence[Cells], *, path: Path) -> None:
    if not rows:
        raise InputError(
            where=str(path),
            found="no judged mutant",
            expected="a row per judged mutant",
            fix="Bring back the file that came with the study.",
        )
    seen = Counter[str]()
    for row in rows:
        seen[row["mutant_id"]] += 1
        if seen[row["mutant_id"]] > 1:
            raise row.error("mutant_id", expected="every mutant once", fix="Remove one of the two.")


def _weights(rows: Sequence[Cells]) -> dict[str, float]:
    """Return by stratum for how many mutants each judged one stands."""
    by_stratum = defaultdict[str, list[Cells]](list)
    for row in rows:
        by_stratum[row.choose("stratum", {stratum: stratum for stratum in STRATA})].append(row)
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
    """Return the pairs, whose groups nobody asks for, so they have none."""
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
    if row["mutant"] != render(row["original"], chain(*place_pairs(row["original"], pairs))):
        raise row.error(
            "mutant", expected="the original with its replacements", fix="Correct one of the three."
        )
    return tuple(pairs)


def _replacements(row: Cells) -> list[tuple[str, str]]:
    """Return each pair_id with its replacement."""
    pair_ids = row["mutant_id"].split("|")[1:]
    replacements = row["replacements"].split("; ")
    if len(pair_ids) != len(replacements):
        raise row.error(
            "replacements",
            expected=f"one for each of the {len(pair_ids)} pairs of the mutant_id, parted by '; '",
            fix="Correct the cell, or the mutant_id.",
        )
    return list(zip(pair_ids, replacements, strict=True))


def _reading(row: Cells, *, end: str = "") -> Reading:
    return Reading(row.choose(f"grammar{end}", ANSWERS), row.choose(f"meaning{end}", ANSWERS))


def _final(row: Cells) -> Reading:
    for question in Reading._fields:
        if row[question] not in (row[f"{question}_1"], row[f"{question}_2"]):
            raise row.error(question, expected="an answer of a reading", fix="Correct the cell.")
    return _reading(row)
