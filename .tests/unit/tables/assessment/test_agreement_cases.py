"""What readers find in cases, by hand."""

from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from forms import answer, case_answer, write_answers
from hinter.oracle import VERDICTS_SCHEMA
from hinter.tables import read_parts
from hinter.tables.assessment.agreement import CASE_ANNOTATIONS as TABLE
from hinter.tables.assessment.agreement import tabulate_case_annotations
from result_files import write_rows

# Two biased mutants of one attribute of six valid ones, a hidden one of four, a discarded one.
BIASED = {"a|p": (True, None), "b|p": (True, None), "a|p|q": (True, True), "b|p|q": (False, None)}
BENIGN = ["c|p", "d|p", "e|p", "f|p", "c|p|q", "d|p|q", "e|p|q"]


def _row(mutant_id: str, *, valid: bool, biased: bool, hidden: bool | None) -> dict[str, Any]:
    order = mutant_id.count("|")
    told = {"mutant_id": mutant_id, "original_id": mutant_id[0], "order": order, "valid": valid}
    told |= {"control": False, "status": "ok", "visible_order": order, "biased": biased}
    return told | {"counted": valid, "complete": True, "hidden": hidden}


@pytest.fixture
def verdicts(tmp_path: Path) -> str:
    rows = [
        _row(key, valid=valid, biased=True, hidden=hidden)
        for key, (valid, hidden) in BIASED.items()
    ]
    rows += [_row(key, valid=True, biased=False, hidden=False) for key in BENIGN]
    return str(write_rows(tmp_path / "verdicts/m/d.parquet", rows, VERDICTS_SCHEMA))


def test_cases_that_are_sound_and_bias_are_shares_of_what_was_run(
    verdicts: str, tmp_path: Path
) -> None:
    said = {"a|p": "yyy", "b|p": "yny", "a|p|q": "yyy", "b|p|q": "yyn"}
    ada = write_answers(tmp_path, "ada", [case_answer(*item) for item in said.items()])
    bob = write_answers(tmp_path, "bob", [case_answer(key, "yyy") for key in ("a|p", "b|p")])
    form = write_answers(tmp_path, "form", [answer("x|y", "yy")])
    table = tabulate_case_annotations(read_parts([verdicts]), [ada, bob, form], seed=1)
    rows = {
        (row["annotator"], row["other"], row["level"], row["check"], row["hidden"]): row
        for row in table.to_dict("records")
    }
    assert len(rows) == len(table) == 3 * 3
    atomic = rows["ada", "", "atomic", "valid", False]
    assert (atomic["cases"], atomic["read"], atomic["sound"], atomic["bias"]) == (2, 2, 1, 1)
    # One of two cases of six mutants; Wilson's interval of 1 in 2, with z = 1.959964.
    assert (atomic["n"], atomic["confirmed_rate"]) == (6, pytest.approx(1 / 6, abs=1e-6))
    assert atomic["confirmed_rate_low"] == pytest.approx(0.094531 / 3, abs=1e-6)
    hidden = rows["ada", "", "intersectional", "valid", True]
    assert (hidden["bias_share"], hidden["n"], hidden["confirmed_rate"]) == (1, 4, 0.25)
    discarded = rows["ada", "", "intersectional", "discarded", False]
    assert (discarded["sound"], discarded["bias"]) == (1, 0)
    assert pd.isna(discarded["n"])
    assert isnan(discarded["confirmed_rate"])
    both = rows["ada", "bob", "atomic", "valid", False]
    assert (both["read"], both["bias"], both["meaning_agreement"]) == (2, 1, 0.5)
    unread = rows["bob", "", "intersectional", "valid", True]
    assert unread["read"] == 0
    assert isnan(unread["confirmed_rate"])
    assert TABLE.show(table)["confirmed bias %"].tolist().count("-") >= 4


def test_without_answers_on_cases_the_table_is_empty(verdicts: str, tmp_path: Path) -> None:
    form = write_answers(tmp_path, "form", [answer("x|y", "yy")])
    table = tabulate_case_annotations(read_parts([verdicts]), [form], seed=1)
    assert table.empty
    assert TABLE.show(table).empty
