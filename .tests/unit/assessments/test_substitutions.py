"""Read mutants of literal and of coherent substitution, and the tables made of them."""

from collections import defaultdict
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hinter.assessments import AssessedMutant, check_assessed, read_assessed
from hinter.invariant import Comparator, Invariant
from hinter.mutants import OCCURRENCES_SCHEMA
from hinter.tables.data.occurrences import show_occurrences, tabulate_occurrences
from hinter.tables.rq3.substitutions import show_substitutions, tabulate_substitutions

ROOT = Path(__file__).resolve().parents[3]
DATASETS = {"ecthr", "eurlex", "imdb", "ledgar", "scotus"}


@pytest.fixture(scope="module")
def assessed() -> list[AssessedMutant]:
    return read_assessed(ROOT / "data" / "validity" / "assessments.csv")


def test_many_mutants_of_five_datasets_were_read(assessed: list[AssessedMutant]) -> None:
    assert len(assessed) >= 900
    for draw in ("literal", "coherent"):
        for half in ("development", "test"):
            drawn = {
                mutant.dataset for mutant in assessed if (mutant.draw, mutant.half) == (draw, half)
            }
            assert drawn == DATASETS


def test_no_original_is_in_both_halves(assessed: list[AssessedMutant]) -> None:
    halves = defaultdict(set)
    for mutant in assessed:
        if mutant.draw != "comparators":
            halves[mutant.original_id].add(mutant.half)
    assert {len(found) for found in halves.values()} == {1}


def test_the_checks_are_those_by_which_the_mutants_were_drawn(
    assessed: list[AssessedMutant], invariants: dict[Comparator, Invariant]
) -> None:
    drawn = [mutant for mutant in assessed if mutant.draw in ("literal", "coherent")]
    table = check_assessed(drawn, invariants=list(invariants.values()))
    for row in table.to_pylist():
        if row["tolerant"] != "sentence_count":
            valid, order = row["stratum"].split("_")
            assert (row["tolerant"] == "valid") == (valid == "valid"), row
            assert row["order"] == int(order)


def _read(draw: str, dataset: str, original: str, order: int, *, sound: bool) -> dict[str, object]:
    return {
        "draw": draw,
        "dataset": dataset,
        "half": "test",
        "mutant_id": f"{draw}{dataset}{original}{order}",
        "original_id": original,
        "order": order,
        "stratum": f"valid_{order}",
        "weight": 7.0,
        "grammar": True,
        "meaning": sound,
        "sound": sound,
        **dict.fromkeys(("tolerant", "strict", "heads"), "valid"),
    }


def test_substitutions_are_compared_by_hand() -> None:
    rows = [
        _read("literal", "imdb", "a", 1, sound=True),
        _read("literal", "imdb", "b", 2, sound=False),
        _read("coherent", "imdb", "a", 1, sound=True),
        _read("coherent", "ecthr", "c", 2, sound=True),
        _read("coherent", "ecthr", "c", 2, sound=True) | {"tolerant": "pos", "sound": False},
        _read("drafts", "ecthr", "d", 2, sound=False),
    ]
    table = tabulate_substitutions(pd.DataFrame(rows), seed=1)
    keyed = table.set_index(["substitution", "half", "dataset", "level"])
    assert keyed.loc[("literal", "all", "all", "all"), ["read", "sound"]].tolist() == [2, 1]
    assert keyed.loc[("coherent", "test", "all", "all"), ["read", "sound"]].tolist() == [2, 2]
    assert keyed.loc[("coherent", "test", "ecthr", "intersectional"), "precision"] == 1
    shown = show_substitutions(table)
    assert "development" not in set(shown["half"])
    assert shown["read"].min() == 1


def test_occurrences_are_summed_by_rule(tmp_path: Path) -> None:
    rows = [
        {"attribute": "gender", "term": "man", "rule": None, "occurrences": 3},
        {"attribute": "gender", "term": "man", "rule": "compound", "occurrences": 2},
        {"attribute": "gender", "term": "he", "rule": "compound", "occurrences": 5},
    ]
    path = tmp_path / "results" / "occurrences" / "imdb.parquet"
    path.parent.mkdir(parents=True)
    columns = {name: [row[name] for row in rows] for name in OCCURRENCES_SCHEMA.names}
    pq.write_table(OCCURRENCES_SCHEMA.empty_table().from_pydict(columns, OCCURRENCES_SCHEMA), path)
    table = tabulate_occurrences([("occurrences", "imdb", path)])
    assert table["rule"].tolist() == ["compound", "count", "compound"]
    shown = show_occurrences(table)
    assert shown[["rule", "occurrences", "terms"]].values.tolist() == [
        ["compound", 7, 2],
        ["count", 3, 1],
    ]
    assert shown["most often"].tolist() == ["he, man", "man"]
    assert show_occurrences(table.iloc[:0]).empty
