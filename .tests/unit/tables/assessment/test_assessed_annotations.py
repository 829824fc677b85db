"""What people find in assessed mutants, beside language models and comparators."""

from pathlib import Path

import pandas as pd
import pytest
from assessed_mutants import assessed_rows
from forms import answer, write_answers
from hinter.assessments import AssessedMutant, assessed_about
from hinter.tables.assessment.assessed_annotations import TABLE, tabulate_assessed_annotations


@pytest.fixture(scope="module")
def mutants(assessed: list[AssessedMutant]) -> list[AssessedMutant]:
    return assessed_about(assessed, operators=["literal"])[:40]


@pytest.fixture
def table(root: Path, tmp_path: Path, mutants: list[AssessedMutant]) -> pd.DataFrame:
    """Return what ada, who says what language models do, and bob, who says yes, come to."""
    ada = {mutant.mutant_id: "yn"[not mutant.final.grammar] for mutant in mutants}
    ada = {
        mutant.mutant_id: ada[mutant.mutant_id] + "yn"[not mutant.final.meaning]
        for mutant in mutants
    }
    said = {"ada": ada, "bob": dict.fromkeys([*ada][:20], "yy")}
    answers = [
        write_answers(tmp_path, name, [{"sample": "comparators"} | answer(*each) for each in given])
        for name, given in ((name, given.items()) for name, given in said.items())
    ]
    checked = assessed_rows(
        [
            {
                "mutant_id": mutant.mutant_id,
                "sound": mutant.final.sound,
                "people": 1,
                "tolerant": "valid" if mutant.final.sound else "pos",
                "heads": "unchecked",
            }
            for mutant in mutants
        ]
    )
    return tabulate_assessed_annotations(
        root / "data" / "validity" / "assessments.csv",
        checked,
        [*answers, write_answers(tmp_path, "form", [answer("x|y", "yy")])],
        operators=["literal"],
        seed=1,
    )


def test_people_agree_with_models_comparators_and_one_another(
    table: pd.DataFrame, mutants: list[AssessedMutant]
) -> None:
    rows = {
        (row["annotator"], row["other"]): row
        for row in table[table["level"] == "all"].to_dict("records")
    }
    models = rows["ada", "language models"]
    assert (models["read"], models["sound_kappa"], models["sound_kappa_high"]) == (40, 1, 1)
    assert 0 < models["sound_kappa_low"] < 1
    tolerant = rows["ada", "tolerant"]
    assert (tolerant["sound_agreement"], tolerant["sound_kappa"]) == (1, 1)
    assert pd.isna(tolerant["grammar_kappa"])
    assert rows["ada", "heads"]["read"] == 0
    sound = [mutant.final.sound for mutant in mutants[:20]]
    both = rows["ada", "bob"]
    assert (both["read"], both["sound_agreement"]) == (20, sum(sound) / 20)
    # Where one of two says no, it is no; what only ada has read is as she says.
    most = rows["majority", ""]
    assert (most["read"], most["sound"]) == (40, sum(mutant.final.sound for mutant in mutants))
    assert most["tied"] == 20 - sum(sound)
    assert pd.isna(both["tied"])


def test_the_table_shows_intervals_of_kappa(table: pd.DataFrame) -> None:
    shown = TABLE.show(table)
    assert len(shown) == len(table) == 3 * (3 + 1 + 3 * 4)
    assert shown["sound: kappa by original"].str.startswith("[").any()


def test_without_answers_on_assessed_mutants_the_table_is_empty(root: Path, tmp_path: Path) -> None:
    table = tabulate_assessed_annotations(
        root / "data" / "validity" / "assessments.csv",
        assessed_rows([{"sound": True}]),
        [write_answers(tmp_path, "form", [answer("x|y", "yy")])],
        operators=["literal"],
        seed=1,
    )
    assert table.empty
    assert TABLE.show(table).empty
