"""Comparators on a suite: the same checks however many mutants are read at once."""

from pathlib import Path

import pytest
from hinter.invariant import Comparator, Invariant
from hinter.mutants import compare_mutants, compare_suite, comparing
from literal import word_pairs
from recipes import literal_mutant
from suites import Study, mutant

GENDER, RACE = "gender:man>woman", "race:Greek>Thai"
TEXTS = {f"o{n}": f"The Greek met a man of {n} years. She left." for n in range(5)}


def test_comparators_are_asked_about_each_mutant_with_its_own_original(
    tmp_path: Path, invariants: dict[Comparator, Invariant], monkeypatch: pytest.MonkeyPatch
) -> None:
    combinations = [(GENDER,), (RACE,), (GENDER, RACE)]
    rows = [mutant(key, *pair_ids) for key in TEXTS for pair_ids in combinations]
    study = Study(tmp_path, texts=TEXTS, rows=[*rows, mutant("o1", RACE) | {"control": True}])
    mutants = [
        literal_mutant(row["original_id"], TEXTS[row["original_id"]], word_pairs(row["pair_ids"]))
        for row in rows
    ]
    expected = compare_mutants(mutants, invariants=list(invariants.values()))
    ids = [row["mutant_id"] for row in rows]
    for at_once, characters in ((1, 1000), (2, 1), (7, 100), (1000, 100), (1000, 1_000_000)):
        monkeypatch.setattr(comparing, "MUTANTS_AT_ONCE", at_once)
        monkeypatch.setattr(comparing, "CHARACTERS_AT_ONCE", characters)
        tables = compare_suite(
            study.folder / "suite.parquet",
            corpus=study.folder / "corpus.parquet",
            invariants=list(invariants.values()),
        )
        found = [row for table in tables for row in table.to_pylist()]
        assert [row["mutant_id"] for row in found] == ids
        for name, checks in expected.items():
            assert [row[name] for row in found] == checks
