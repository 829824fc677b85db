"""Assessed mutants: what was read, and how it is checked."""

import csv
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import pandas as pd
import pytest
from hinter.assessments import (
    ASKED,
    ASSESSED_SCHEMA,
    AssessedMutant,
    check_assessed,
    read_assessed,
    read_blind,
)
from hinter.assessments.assessed_mutants import HALVES
from hinter.invariant import Comparator, Invariant


def _assessed(**cells: str) -> dict[str, str]:
    plain = {
        "sample": "comparators",
        "dataset": "imdb",
        "half": "development",
        "mutant_id": "o1|body:people>blind_people|gender:man>woman",
        "stratum": "valid",
        "population": "10",
        "replacements": "people -> blind people; man -> woman",
        "places": "",
        "rules": "",
        "original": "A Man ran.\nPeople saw him.",
        "mutant": "A Woman ran.\nBlind people saw him.",
        "grammar_1": "yes",
        "meaning_1": "yes",
        "grammar_2": "yes",
        "meaning_2": "no",
        "grammar": "yes",
        "meaning": "no",
        "reason": "him",
    }
    return plain | cells


OTHER = _assessed(
    mutant_id="o0|gender:he>she", replacements="he -> she", original="He ran.", mutant="She ran."
)


def _write_assessed(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "assessments.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_assessments_are_read_with_their_pairs_and_weights(tmp_path: Path) -> None:
    first, second = read_assessed(_write_assessed(tmp_path, _assessed(), OTHER))
    assert (first.mutant.original_id, second.mutant.original_id) == ("o0", "o1")
    assert [(pair.attribute, pair.source, pair.target) for pair in second.pairs] == [
        ("body", "people", "blind people"),
        ("gender", "man", "woman"),
    ]
    assert second.weight == 5
    assert [assessment.sound for assessment in (*second.assessments, second.final)] == [
        True,
        False,
        False,
    ]


def test_the_file_agrees_with_itself(assessed: list[AssessedMutant], root: Path) -> None:
    path = root / "data" / "validity" / "assessments.csv"
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert not rows.duplicated(["sample", "mutant_id"]).any()
    strata = rows.groupby(["sample", "dataset", "stratum"])["population"]
    assert (strata.nunique() == 1).all()
    assert (strata.first().astype(int) >= strata.size()).all()
    assert set(rows["half"]) == set(HALVES)
    for question in ASKED:
        answers = rows[[f"{question}{end}" for end in ("_1", "_2", "")]]
        assert set(answers.to_numpy().ravel()) == {"yes", "no"}
        first, second, final = (answers[name] for name in answers)
        assert ((final == first) | (final == second)).all()
    texts = rows.set_index(["sample", "mutant_id"])["mutant"]
    for mutant in assessed:
        assert mutant.mutant.text == texts[mutant.sample, mutant.mutant_id]
        ids = [
            f"{pair.attribute}:{pair.source}>{pair.target}".replace(" ", "_")
            for pair in mutant.pairs
        ]
        assert ids == mutant.mutant_id.split("|")[1:]


def test_the_assessed_mutants_stand_for_the_whole_suite(
    assessed_for_comparators: list[AssessedMutant],
) -> None:
    sampled = Counter(mutant.stratum for mutant in assessed_for_comparators)
    assert sampled == {"valid": 100, "border": 100, "pos": 50, "dep": 50}
    assert sum(mutant.weight for mutant in assessed_for_comparators) == pytest.approx(2026)


DATASETS = {"ecthr_a", "eurlex", "imdb", "ledgar", "scotus"}


def test_many_mutants_of_five_datasets_were_read(assessed: list[AssessedMutant]) -> None:
    assert len(assessed) >= 900
    for sample in ("literal", "coherent"):
        for half in ("development", "test"):
            sampled = {
                mutant.dataset
                for mutant in assessed
                if (mutant.sample, mutant.half) == (sample, half)
            }
            assert sampled == DATASETS


def test_no_original_is_in_both_halves(assessed: list[AssessedMutant]) -> None:
    halves = defaultdict(set)
    for mutant in assessed:
        if mutant.sample != "comparators":
            halves[mutant.mutant.original_id].add(mutant.half)
    assert {len(found) for found in halves.values()} == {1}


# Since they were sampled, white space is no token any more, which changes these two parses.
CHANGED = (
    "5ba5fa5534671ca6|body:folks>visually_impaired_people",
    "38f34a872d11f280|age:child>teenager|body:persons>blind_people",
)


def _unchanged(mutants: list[AssessedMutant]) -> list[AssessedMutant]:
    return [mutant for mutant in mutants if mutant.mutant_id not in CHANGED]


@pytest.mark.long
def test_the_verdicts_are_those_by_which_the_mutants_were_drawn(
    assessed_for_comparators: list[AssessedMutant], invariants: dict[Comparator, Invariant]
) -> None:
    sampled = _unchanged(assessed_for_comparators)
    table = check_assessed(sampled, invariants=list(invariants.values()))
    assert table.schema == ASSESSED_SCHEMA
    for row in table.to_pylist():
        others = {row["strict"], row["heads"]}
        if row["stratum"] in ("valid", "border"):
            assert row["tolerant"] == "valid", row
            assert (others == {"valid"}) == (row["stratum"] == "valid"), row
        else:
            assert row["tolerant"] == row["stratum"], row
            assert "valid" not in others, row


@pytest.fixture
def stored(checks: Path, tmp_path: Path) -> None:
    """Let the invariants know the checks that were made for all tests."""
    shutil.copytree(checks, tmp_path, dirs_exist_ok=True)


@pytest.mark.usefixtures("stored")
def test_the_checks_are_those_by_which_the_mutants_were_drawn(
    assessed: list[AssessedMutant], invariants: dict[Comparator, Invariant]
) -> None:
    sampled = [
        mutant for mutant in _unchanged(assessed) if mutant.sample in ("literal", "coherent")
    ]
    table = check_assessed(sampled, invariants=list(invariants.values()))
    for row in table.to_pylist():
        if row["tolerant"] != "sentence_count":
            valid, order = row["stratum"].split("_")
            assert (row["tolerant"] == "valid") == (valid == "valid"), row
            assert row["order"] == int(order)


def test_blind_annotations_stand_for_the_described_mutants_of_their_dataset(
    assessed: list[AssessedMutant], root: Path
) -> None:
    path = root / "data" / "validity" / "described_annotations.csv"
    table = read_blind(path, assessed=assessed)
    assert table.schema == ASSESSED_SCHEMA
    rows = table.to_pandas()
    assert (len(rows), rows["original_id"].nunique(), rows["sound"].sum()) == (120, 120, 96)
    assert set(rows["stratum"]) == {"valid_2"}
    assert set(rows["tolerant"]) == {"valid"}
    replaced = [
        mutant.weight
        for mutant in assessed
        if (mutant.dataset, mutant.stratum, mutant.about_operator)
        == ("imdb", "valid_2", "describe")
    ]
    assert rows["weight"].sum() == pytest.approx(sum(replaced))
