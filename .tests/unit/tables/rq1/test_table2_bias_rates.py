"""Bias rates of what was run and seen."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.oracle import VERDICTS_SCHEMA
from hinter.tables.rq1.table2_bias_rates import TABLE, tabulate_bias_rates
from result_files import VERDICTS, Parts, no_answers, verdict_row, write_counts, write_rows

ACCURACY = pd.DataFrame({"dataset": ["d"], "model": ["m"], "accuracy": [0.9], "macro_f1": [0.8]})


@pytest.fixture
def verdicts(tmp_path: Path) -> Parts:
    return [("m", "d", write_rows(tmp_path / "verdicts.parquet", VERDICTS, VERDICTS_SCHEMA))]


def _bias_rates(verdicts: Parts, folder: Path, *, valid: int = 100) -> pd.DataFrame:
    counts = write_counts(folder, (2, None, valid), (2, "pos", 7))
    answers = no_answers(folder, verdicts)
    return tabulate_bias_rates(verdicts, counts, predictions=answers, accuracy=ACCURACY, seed=1)


def test_bias_rates_count_what_was_run_and_seen(verdicts: Parts, tmp_path: Path) -> None:
    (row,) = _bias_rates(verdicts, tmp_path).to_dict("records")
    assert {key: row[key] for key in ("n", "originals", "biased", "complete", "hidden")} == {
        "n": 6,
        "originals": 3,
        "biased": 3,
        "complete": 2,
        "hidden": 1,
    }
    assert row["bias_rate"] == 0.5
    assert row["hidden_rate"] == round(1 / 3, 6)
    assert row["hidden_rate_complete"] == 0.5
    assert row["coverage"] == round(2 / 3, 6)
    assert row["accuracy"] == 0.9


@pytest.mark.parametrize(
    ("valid", "sampled", "basis", "expected"),
    [
        (8, None, "all", (3.0, 3.0, 3.0)),
        (8, True, "all", (3.0, 3.0, 3.0)),
        # 3 of 8 sampled mutants, two of which have no verdict of their order.
        (800, True, "sample", (300.0, None, None)),
        (800, None, "suite", (None, None, None)),
    ],
)
def test_a_number_of_biased_mutants_is_exact_estimated_or_not_given(
    valid: int, sampled: bool | None, basis: str, expected: tuple[float | None, ...], tmp_path: Path
) -> None:
    path = tmp_path / "verdicts.parquet"
    rows = [row | {"sampled": sampled} for row in VERDICTS if row["sampled"] is None]
    write_rows(path, rows, VERDICTS_SCHEMA)
    (row,) = _bias_rates([("m", "d", path)], tmp_path, valid=valid).to_dict("records")
    assert (row["valid"], row["basis"]) == (valid, basis)
    found = [row[name] for name in ("biased_valid", "biased_valid_low", "biased_valid_high")]
    for number, wanted in zip(found, expected, strict=True):
        assert wanted is None or number == wanted
    if basis == "sample":
        assert 0 <= found[1] <= found[0] <= found[2] <= valid
    if basis == "suite":
        assert all(pd.isna(number) for number in found)


def test_each_order_has_its_own_rates(tmp_path: Path) -> None:
    rows = [
        *VERDICTS,
        verdict_row("o1", 9, order=3, visible_order=3, sampled=True),
        verdict_row("o1", 8, order=3, visible_order=3, sampled=True, biased=True),
    ]
    path = tmp_path / "verdicts.parquet"
    write_rows(path, rows, VERDICTS_SCHEMA)
    counts = write_counts(tmp_path, (2, None, 8), (3, None, 50))
    parts = [("m", "d", path)]
    answers = no_answers(tmp_path, parts)
    rates = tabulate_bias_rates(parts, counts, predictions=answers, accuracy=ACCURACY, seed=1)
    assert rates[["order", "n", "valid", "basis"]].values.tolist() == [
        [2, 6, 8, "all"],
        [3, 2, 50, "sample"],
    ]


def test_robust_ones_are_counted_among_the_hidden_ones_with_scores(tmp_path: Path) -> None:
    whole = {"biased": True, "hidden": True}
    parts = {"order": 1, "visible_order": 1, "hidden": None}
    rows = [
        verdict_row(name, 1, mutant_id=f"{name}|{key}", shift=margin and margin - 1, **told)
        | {"margin": margin, "pair_ids": key.split("|")}
        for name, last in (("o1", -0.7), ("o2", -0.1), ("o3", None))
        for key, margin, told in (
            ("a:1", 0.9, parts),
            ("b:1", 0.9, parts),
            ("a:1|b:1", last, whole),
        )
    ]
    neutral = {**parts, "pair_ids": ["control:x"], "control": True, "counted": False}
    rows += [
        verdict_row(f"c{number}", 1, mutant_id=f"c{number}|control:x", shift=shift, **neutral)
        for number, shift in enumerate((-0.1, 0.0, 0.1))
    ]
    verdicts = [("m", "d", write_rows(tmp_path / "v.parquet", rows, VERDICTS_SCHEMA))]
    (row,) = _bias_rates(verdicts, tmp_path).to_dict("records")
    assert (row["hidden"], row["robust_of"], row["robust"]) == (3, 2, 1)
    shown = TABLE.show(_bias_rates(verdicts, tmp_path)).iloc[0]
    assert (shown["robustly hidden"], shown["of hidden with scores"]) == ("1", "2")


def test_worse_and_better_are_counted_where_labels_are_favourable(tmp_path: Path) -> None:
    assert pd.isna(_bias_rates(_told(tmp_path, None), tmp_path)["worse"]).all()
    rates = _bias_rates(_told(tmp_path, True), tmp_path)
    assert rates[["worse", "better"]].values.tolist() == [[2, 0]]
    assert TABLE.show(rates)["worse"].tolist() == ["2"]


def _told(folder: Path, worse: bool | None) -> Parts:
    """Return the verdicts on two mutants, and on one that does not count."""
    told = {"biased": True, "worse": worse, "better": None if worse is None else not worse}
    rows = [verdict_row("o1", 1, **told), verdict_row("o2", 1, **told)]
    rows += [verdict_row("o3", 1, visible_order=1, **told)]
    return [("m", "d", write_rows(folder / "told.parquet", rows, VERDICTS_SCHEMA))]


def test_every_shown_rate_has_its_interval(verdicts: Parts, tmp_path: Path) -> None:
    shown = TABLE.show(_bias_rates(verdicts, tmp_path)).iloc[0]
    assert shown["bias %"] == "50.00"
    assert shown["Wilson"].startswith("[18.8, 81.2")
