"""Cases that were examined, by model, dataset, order and kind."""

from pathlib import Path
from typing import Any

import pandas as pd
from hinter.cases import CASES_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.tables.rq1.stability import EXAMINED_CASES as TABLE
from hinter.tables.rq1.stability import tabulate_examined
from result_files import Row, verdict_row, write_rows


def _case(number: int, *pairs: int, **values: Any) -> Row:
    edits = [{"attribute": "ab"[pair], "start": 9 * n} for n, pair in enumerate(pairs)]
    plain = {"hidden": False, "sampled": True, "replaced": 5, "minimal": True}
    plain |= {"sufficient": len(pairs), "edits": edits}
    return {"mutant_id": f"o|a:{number}|b:{number}"} | plain | values


def _tabulated(folder: Path, *cases: Row, hidden: int) -> pd.DataFrame:
    """Return the table of five biased mutants, the first of them hidden."""
    verdicts = [verdict_row("o", n, biased=True, hidden=n < hidden) for n in range(5)]
    verdicts.append(verdict_row("o", 9))
    return tabulate_examined(
        [("m", "d", write_rows(folder / "c.parquet", cases, CASES_SCHEMA))],
        [("m", "d", write_rows(folder / "v.parquet", verdicts, VERDICTS_SCHEMA))],
    )


def test_hidden_cases_and_the_sample_are_counted_apart(tmp_path: Path) -> None:
    again = {"repeats": 3, "times_biased": 3}
    rows = _tabulated(
        tmp_path,
        _case(0, 0, hidden=True, times_hidden=3, **again),
        _case(1, 0, 1, 1, hidden=True, sampled=False, times_hidden=2, **again),
        _case(3, 0, 1, **again | {"times_biased": 1}),
        _case(4, 0, 1, 1, 1, minimal=False, **again),
        hidden=2,
    )
    hidden, biased = rows.to_dict("records")
    assert [hidden[key] for key in ("kind", "cases", "examined")] == ["hidden", 2, 2]
    assert [hidden[key] for key in ("asked_again", "held", "held_rate")] == [2, 1, 0.5]
    assert [hidden[key] for key in ("narrowed", "mean_replaced", "mean_sufficient")] == [2, 5, 2]
    assert [hidden[key] for key in ("one_place", "all_pairs")] == [1, 1]
    assert [biased[key] for key in ("kind", "cases", "examined")] == ["biased", 5, 3]
    assert [biased[key] for key in ("asked_again", "held")] == [3, 2]
    assert [biased[key] for key in ("narrowed", "mean_sufficient", "one_place")] == [2, 1.5, 1]


def test_a_deterministic_model_is_told_as_such(tmp_path: Path) -> None:
    rows = _tabulated(tmp_path, _case(0, 0, 1, hidden=True), hidden=1)
    shown = TABLE.show(rows)
    assert shown["asked"].tolist() == ["deterministic"] * 2
    assert shown["held"].tolist() == shown["held %"].tolist() == ["-", "-"]
    assert shown["all attributes needed"].tolist() == ["1 of 1"] * 2
