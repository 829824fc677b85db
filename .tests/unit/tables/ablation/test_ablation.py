"""The table of the ablation, against counts by hand."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.statistics import wilson_interval
from hinter.tables.ablation.ablation import SWITCHED, TABLE, tabulate_ablation
from result_files import VERDICTS, Row, verdict_row, write_counts, write_rows


def _counts(folder: Path, variant: str, *rows: tuple[int, str | None, int]) -> Path:
    ((_, _, path),) = write_counts(folder / "counts" / variant, *rows)
    return path


def _verdicts(folder: Path, variant: str, model: str, rows: list[Row]) -> Path:
    return write_rows(folder / "verdicts" / variant / model / "d.parquet", rows)


@pytest.fixture
def ablation(tmp_path: Path) -> pd.DataFrame:
    """Two variants and two models, of which one was not run on the second variant."""
    counts = [
        _counts(tmp_path, "ours", (1, None, 30), (1, "pos", 10), (2, None, 5), (2, "dep", 15)),
        _counts(tmp_path, "length", (1, None, 20), (1, "unchecked", 20)),
    ]
    benign = [verdict_row("o1", 1), verdict_row("o2", 1)]
    verdicts = [
        _verdicts(tmp_path, "ours", "m1", VERDICTS),
        _verdicts(tmp_path, "ours", "m2", benign),
        _verdicts(tmp_path, "length", "m1", benign),
    ]
    return tabulate_ablation(counts, verdicts, seed=1)


def test_shares_and_rates_are_those_of_plain_counting(ablation: pd.DataFrame) -> None:
    keys = ["dataset", "variant", "model", "mutants", "valid", "intersectional", "n", "biased"]
    assert ablation[[*keys, "hidden"]].to_numpy().tolist() == [
        ["d", "ours", "m1", 60, 35, 20, 6, 3, 1],
        ["d", "ours", "m2", 60, 35, 20, 2, 0, 0],
        ["d", "length", "m1", 40, 20, 0, 2, 0, 0],
    ]
    assert ablation["valid_share"].tolist() == [0.583333, 0.583333, 0.5]
    assert ablation["intersectional_share"].tolist()[:2] == [0.25, 0.25]
    assert ablation["bias_rate"].tolist() == [0.5, 0, 0]
    assert ablation["hidden_rate"].tolist()[0] == 0.333333
    assert ablation["hidden_rate_high"][0] == pytest.approx(wilson_interval(1, 3)[1], abs=1e-6)
    # There is no share of none.
    assert ablation["intersectional_share"].isna().tolist() == [False, False, True]
    assert ablation["hidden_rate"].isna().tolist() == [False, True, True]


def test_a_ablation_without_models_has_shares_alone(tmp_path: Path) -> None:
    rows = tabulate_ablation([_counts(tmp_path, "ours", (1, None, 3), (1, "pos", 1))], [], seed=1)
    (shown,) = TABLE.show(rows).to_dict("records")
    assert (shown["valid %"], shown["model"], shown["tested"]) == ("75.00", "-", "-")


def test_shown_variants_say_what_is_switched(ablation: pd.DataFrame) -> None:
    shown = TABLE.show(ablation)
    assert shown["switched"].tolist() == [SWITCHED[variant] for variant in ablation["variant"]]
    assert shown["valid %"].tolist() == ["58.33", "58.33", "50.00"]
