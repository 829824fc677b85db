"""Flips of sex: how many answers change, which way, and how far the probability of yes moves."""

from pathlib import Path
from typing import Any

import pytest
from hinter.tables.probes.gender_income import FLIP_COLUMNS as COLUMNS
from hinter.tables.probes.gender_income import GENDER_INCOME_FLIPS as TABLE
from hinter.tables.probes.gender_income import tabulate_flips
from hits import Row, hit_file

# Person: sex, answer, and the answers to the flips; each yes has the log-odds 1, each no -1.
ANSWERS = {
    "a": ("Male", "yes", {"sex_only": "no", "consistent": "yes", "control": "yes"}),
    "b": ("Male", "no", {"sex_only": "no", "consistent": "no", "control": "no"}),
    "c": ("Female", "no", {"sex_only": "yes", "consistent": "yes", "control": "no"}),
    "d": ("Female", "yes", {"sex_only": "refused", "consistent": "no", "control": "unparsed"}),
}
OTHER = {"Male": "Female", "Female": "Male"}
WITHOUT_ANSWER = ("refused", "unparsed")
STEP = 0.7310585786 - 0.2689414214


def _answer(said: str) -> Row:
    if said in WITHOUT_ANSWER:
        return {"status": said}
    odds = 1.0 if said == "yes" else -1.0
    return {"status": "ok", "outcome": [said], "scores": {"yes": odds, "no": -odds}}


def _rows() -> list[Row]:
    rows = []
    for person, (sex, said, flips) in ANSWERS.items():
        rows.append({"input_id": person, "original_id": person, "facts": {"sex": sex}})
        rows[-1] |= _answer(said)
        for kind, after in flips.items():
            sexes = {"sex": sex if kind == "control" else OTHER[sex]}
            row = {"input_id": f"{person}|{kind}", "original_id": person, "facts": sexes}
            biased = None if after in WITHOUT_ANSWER else after != said
            rows.append(row | {"kinds": [kind, "lattice"], "biased": biased} | _answer(after))
    return rows


@pytest.fixture
def found(tmp_path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    path = hit_file(tmp_path / "h.parquet", _rows())
    rows = tabulate_flips([("m", "gender_income", path)], seed=1)
    return {(row["flip"], row["change"]): row for row in rows.to_dict("records")}


def test_hits_are_counted_by_flip_and_change(found: dict[tuple[str, str], dict[str, Any]]) -> None:
    counts = ("asked", "n", "refused", "unparsed", "hits", "to_yes", "to_no", "scored")
    assert {key: tuple(row[name] for name in counts) for key, row in found.items()} == {
        ("sex_only", "all"): (4, 3, 1, 0, 2, 1, 1, 3),
        ("sex_only", "Male > Female"): (2, 2, 0, 0, 1, 0, 1, 2),
        ("sex_only", "Female > Male"): (2, 1, 1, 0, 1, 1, 0, 1),
        ("consistent", "all"): (4, 4, 0, 0, 2, 1, 1, 4),
        ("consistent", "Male > Female"): (2, 2, 0, 0, 0, 0, 0, 2),
        ("consistent", "Female > Male"): (2, 2, 0, 0, 2, 1, 1, 2),
        ("control", "all"): (4, 3, 0, 1, 0, 0, 0, 3),
    }


def test_shifts_are_mean_changes_of_the_probability_of_yes(
    found: dict[tuple[str, str], dict[str, Any]],
) -> None:
    men = found["sex_only", "Male > Female"]
    assert men["shift"] == pytest.approx(-STEP / 2, abs=1e-5)
    assert men["shift_low"] <= men["shift"] <= men["shift_high"]
    assert found["control", "all"]["shift"] == 0
    assert found["sex_only", "all"]["hit_rate"] == pytest.approx(2 / 3, abs=1e-6)


def test_answers_without_scores_have_no_shift_and_other_probes_no_rows(tmp_path: Path) -> None:
    rows = [{key: value for key, value in row.items() if key != "scores"} for row in _rows()]
    path = hit_file(tmp_path / "h.parquet", rows)
    found = tabulate_flips([("m", "gender_income", path)], seed=1)
    assert found["scored"].eq(0).all() and found["shift"].isna().all()
    assert TABLE.show(found)["shift of P(yes), points"].eq("-").all()
    none = tabulate_flips([("m", "professional", path)], seed=1)
    assert none.empty and list(none) == list(COLUMNS) == list(found)
