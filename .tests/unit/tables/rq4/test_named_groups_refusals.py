"""Refusals by group: counted by hand, tested by original, and none where nothing is refused."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.statistics import q_values, wilson_interval
from hinter.tables.rq4.named_groups import say_refused, tabulate_refusals
from made_up import Answer, Answers, MadeUpStudy
from simulated import make_suite

ORIGINALS = 12
LABEL: Answer = (["p"], "ok")
REFUSED: Answer = (None, "refused")


def _table(folder: Path, **answers: Answers) -> pd.DataFrame:
    suite = make_suite(originals=ORIGINALS, attributes=["a", "b"], orders=[1, 2])
    study = MadeUpStudy(folder, suite=suite, answers=answers)
    parts = {
        name: [(model, "d", folder / name / model / "d.parquet") for model in answers]
        for name in ("verdicts", "predictions")
    }
    return tabulate_refusals(**parts, pairs=study.folder / "pairs.csv", seed=1)


def _blocks_z(key: str, _: int) -> Answer:
    """Refuse the original o0 with all its mutants, and of all others those with the group a-z."""
    original, *pairs = key.split("|")
    blocked = original == "o0" or any(pair[0] + pair[-1] == "az" for pair in pairs)
    return REFUSED if blocked else LABEL


def test_blocked_mutants_of_answered_originals_are_counted_and_tested(tmp_path: Path) -> None:
    rows = _table(tmp_path, m=_blocks_z)
    lines = rows[rows["level"] == "atomic"].set_index("target_group").to_dict("index")
    row, other = lines["a-z"], lines["a-x"]
    # Two source terms.
    n = 2 * ORIGINALS
    assert (row["n"], row["originals"]) == (n, ORIGINALS)
    assert (row["refused"], row["originals_refused"]) == (n, 2)
    assert row["refused_rate"] == 1
    assert row["originals_rate"] == round(2 / n, 6)
    assert row["refused_rate_low"] == round(wilson_interval(n, n)[0], 6)
    # Eleven originals differ, all in one direction: 2 of 2 ** 11 signs are as extreme.
    assert row["p_value"] == pytest.approx(2**-10, abs=1e-3)
    assert (other["refused"], other["originals_refused"]) == (2, 2)
    assert other["p_value"] == 1
    assert rows["q_value"].tolist() == pytest.approx(q_values(rows["p_value"].tolist()), abs=1e-6)
    told = say_refused(rows)
    assert "a-z (atomic; m, d): 100.00 % of 24 mutants, 8.33 % of their originals" in told
    assert "a-x" not in told


def test_a_model_that_refuses_nothing_has_no_rows(tmp_path: Path) -> None:
    rows = _table(tmp_path, m=lambda key, _: LABEL, other=_blocks_z)
    assert set(rows["model"]) == {"other"}
    assert _table(tmp_path / "none", m=lambda key, _: LABEL).empty
