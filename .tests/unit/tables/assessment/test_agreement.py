"""Agreement of the readers of a form, by hand."""

from math import isnan
from pathlib import Path

import pandas as pd
import pytest
from forms import FORM, answer, make_form, write_answers
from hinter.assessments import read_form
from hinter.declarations import import_table
from hinter.tables.assessment.agreement import AGREEMENT as TABLE
from hinter.tables.assessment.agreement import tabulate_agreement
from result_files import table_files


def _agreement(folder: Path, **said: str) -> pd.DataFrame:
    paths = [
        write_answers(
            folder, name, [answer(*item) for item in zip(FORM, answers.split(), strict=True)]
        )
        for name, answers in said.items()
    ]
    return tabulate_agreement(FORM, paths, seed=1)


def test_agreement_by_hand(tmp_path: Path) -> None:
    table = _agreement(tmp_path, ada="yy yn yy nn", bob="yy yy nn nn", eve="-- -- -- y-")
    rows = {
        (row["annotator"], row["other"], row["dataset"], row["order"]): row
        for row in table.to_dict("records")
    }
    assert len(rows) == len(table) == 6 * 9
    ada = rows["ada", "", "all", "all"]
    assert (ada["mutants"], ada["read"], ada["unanswered"], ada["sound"]) == (4, 4, 0, 2)
    # Wilson's interval of 2 in 4, from its formula with z = 1.959964.
    assert (ada["sound_share"], ada["sound_share_low"]) == (0.5, pytest.approx(0.150039, abs=1e-6))
    assert ada["sound_share_high"] == pytest.approx(0.849961, abs=1e-6)
    assert isnan(ada["sound_kappa"])
    assert rows["ada", "", "all", "1"]["sound_share"] == 1
    assert rows["ada", "", "e", "all"]["sound_share"] == 0.5
    eve = rows["eve", "", "all", "all"]
    assert (eve["read"], eve["unanswered"]) == (0, 4)
    assert isnan(eve["sound_share"])
    both = rows["ada", "bob", "all", "all"]
    assert (both["read"], both["sound"]) == (4, 1)
    # Grammar: ada y y y n, bob y y n n; by chance (3 * 2 + 1 * 2) / 16.
    assert (both["grammar_agreement"], both["grammar_kappa"]) == (0.75, 0.5)
    # Both questions: ada y n y n, bob y y n n.
    assert (both["sound_agreement"], both["sound_kappa"]) == (0.5, 0)
    assert rows["ada", "eve", "all", "all"]["read"] == 0
    assert TABLE.show(table)["other"].tolist().count("-") == 27


def test_the_table_is_made_of_files(tmp_path: Path) -> None:
    folder = make_form(tmp_path)
    answers = [
        write_answers(folder, name, [answer(key, said) for key in read_form(folder / "form.csv")])
        for name, said in (("ada", "yy"), ("bob", "yn"))
    ]
    table = import_table("hinter/tables/assessment/agreement.py", "agreement")
    inputs = {"form": str(folder / "form.csv"), "answers": [str(path) for path in answers]}
    table.make(inputs=inputs, settings={"seed": 1}, files=table_files(tmp_path))
    written = pd.read_csv(tmp_path / "csv")
    assert written.columns.tolist() == list(table.columns)
    assert written["read"].tolist() == [8, 4, 4] * 3
    assert "| ada         | bob     | d " in (tmp_path / "markdown").read_text()
