"""Parity and odds, by hand."""

from pathlib import Path

import pandas as pd
from hinter.tables.probes.gender_income import GENDER_INCOME_PARITY as TABLE
from hinter.tables.probes.gender_income import PARITY_COLUMNS as COLUMNS
from hinter.tables.probes.gender_income import tabulate_parity
from hits import Row, hit_file

OTHER = {"Male": "Female", "Female": "Male"}
# Sex, whether the income is high, the answer, and the answer with the other sex.
PERSONS = [
    *[("Male", "yes", "yes", "no")] * 3,
    *[("Male", "yes", "no", "no")] * 1,
    *[("Male", "no", "yes", "yes")] * 1,
    *[("Male", "no", "no", "no")] * 3,
    *[("Female", "yes", "yes", "yes")] * 1,
    *[("Female", "yes", "no", "yes")] * 1,
    *[("Female", "no", "no", "no")] * 6,
]


def _tabulated(folder: Path, persons: list[tuple[str, str, str, str]]) -> pd.DataFrame:
    rows: list[Row] = []
    for number, (sex, high, said, flipped) in enumerate(persons):
        row: Row = {"original_id": f"p{number:02}", "labels": [high], "status": "ok"}
        base = row | {"input_id": f"p{number:02}", "facts": {"sex": sex}, "outcome": [said]}
        other = row | {"facts": {"sex": OTHER[sex]}, "outcome": [flipped], "kinds": ["sex_only"]}
        control = base | {"input_id": f"p{number:02}|c", "kinds": ["control"], "outcome": ["yes"]}
        rows += [base, other | {"input_id": f"p{number:02}|s"}, control]
    path = hit_file(folder / "h.parquet", rows)
    return tabulate_parity([("m", "gender_income", path)], seed=1)


def test_differences_are_those_of_shares_of_yes(tmp_path: Path) -> None:
    observed, both = _tabulated(tmp_path, PERSONS).to_dict("records")
    assert (observed["prompts"], observed["n"], both["prompts"], both["n"]) == (
        *("observed", 16, "both_sexes", 32),
    )
    # Men: 4 of 8, of those with a high income 3 of 4, of others 1 of 4; women: 1 of 8, 1 of 2, 0.
    assert observed["accuracy"] == 13 / 16
    assert observed["demographic_parity_difference"] == observed["parity_gap"] == 4 / 8 - 1 / 8
    assert observed["equalized_odds_difference"] == observed["high_gap"] == 3 / 4 - 1 / 2
    assert observed["low_gap"] == 1 / 4
    # Under both sexes: as men 4 and 2 of 16, as women 1 and 1 of 16.
    assert both["demographic_parity_difference"] == both["parity_gap"] == (6 - 2) / 16
    assert both["low_gap"] == 0
    for row in (observed, both):
        assert row["parity_gap_low"] < row["parity_gap"] < row["parity_gap_high"]


def test_men_alone_have_no_difference_to_women(tmp_path: Path) -> None:
    observed, both = _tabulated(tmp_path, PERSONS[:8]).to_dict("records")
    assert pd.isna(observed["parity_gap"]) and pd.isna(observed["demographic_parity_difference"])
    assert both["parity_gap"] == (4 - 1) / 8


def test_without_such_answers_the_table_is_empty(tmp_path: Path) -> None:
    rows = _tabulated(tmp_path, [])
    assert rows.empty and list(rows) == list(COLUMNS)
    assert TABLE.show(rows).empty
