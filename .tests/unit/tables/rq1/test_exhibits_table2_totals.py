"""Table 2 in the paper's layout, by hand and against plain counting."""

from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from hinter.statistics import cluster_bootstrap, wilson_interval
from hinter.tables.rq1.exhibits import TABLE2_TOTALS as TABLE
from hinter.tables.rq1.exhibits import show_totals, tabulate_totals
from result_files import Parts, Row, verdict_row, write_rows

COUNTS = ["n", "originals", "biased", "hidden", "complete"]


def _row(original: str, number: int, told: str, **values: object) -> Row:
    """A mutant of two attributes: benign, biased, complete (and biased) or hidden."""
    return verdict_row(
        original,
        number,
        biased=told != "benign",
        complete=told in ("complete", "hidden"),
        hidden=told == "hidden" if told in ("complete", "hidden") else None,
        **values,
    )


def _study(folder: Path) -> Parts:
    told = {
        ("m", "d"): [("o", "benign"), ("o", "hidden"), ("p", "complete"), ("p", "biased")],
        ("m", "e"): [("o", "benign"), ("o", "benign"), ("o", "hidden")],
        ("n", "d"): [("o", "benign"), ("o", "benign"), ("p", "benign"), ("p", "complete")],
    }
    left_out = [
        _row("o", 90, "hidden", order=3, visible_order=3),
        verdict_row("o", 91, order=1, visible_order=1, biased=True),
        _row("o", 92, "hidden", valid=False),
        _row("o", 93, "hidden", visible_order=1),
        _row("o", 94, "hidden", sampled=False),
    ]
    return [
        (
            model,
            dataset,
            write_rows(
                folder / f"{model}-{dataset}.parquet",
                [_row(key, number, kind) for number, (key, kind) in enumerate(rows)] + left_out,
            ),
        )
        for (model, dataset), rows in told.items()
    ]


def test_rates_have_totals_over_models_over_datasets_and_over_everything(tmp_path: Path) -> None:
    rows = tabulate_totals(_study(tmp_path), seed=3)
    assert rows.columns.tolist() == list(TABLE.columns)
    assert rows[["dataset", "model", *COUNTS]].values.tolist() == [
        ["d", "m", 4, 2, 3, 1, 2],
        ["d", "n", 4, 2, 1, 0, 1],
        ["d", "all", 8, 2, 4, 1, 3],
        ["e", "m", 3, 1, 1, 1, 1],
        ["e", "all", 3, 1, 1, 1, 1],
        ["all", "m", 7, 3, 4, 2, 3],
        ["all", "n", 4, 2, 1, 0, 1],
        ["all", "all", 11, 3, 5, 2, 4],
    ]
    total = rows.iloc[-1]
    assert total["bias_rate"] == round(5 / 11, 6)
    assert total["hidden_rate"] == 0.4
    assert total["hidden_rate_complete"] == 0.5
    # The same text of two datasets is two originals; one of two models is one.
    for rate, parts, wholes in (
        ("bias_rate", [1, 3, 1], [4, 4, 3]),
        ("hidden_rate", [1, 0, 1], [1, 3, 1]),
        ("hidden_rate_complete", [1, 0, 1], [1, 2, 1]),
    ):
        found = tuple(total[[f"{rate}_cluster_low", f"{rate}_cluster_high"]])
        assert found == pytest.approx(cluster_bootstrap(parts, wholes, seed=3), abs=1e-6)
        # A mutant that two models were asked about is no two independent trials.
        assert total[[f"{rate}_low", f"{rate}_high"]].isna().all()
    wilson = wilson_interval(3, 4)
    assert tuple(rows.iloc[0][["bias_rate_low", "bias_rate_high"]]) == pytest.approx(
        wilson, abs=1e-6
    )


def test_the_layout_is_that_of_the_paper(tmp_path: Path) -> None:
    shown = show_totals(tabulate_totals(_study(tmp_path), seed=3))
    assert shown.columns.tolist() == ["dataset", "rate", "m", "n", "Total"]
    lines = list(product(["d", "e", "All"], ["I", "H"]))
    assert list(zip(shown["dataset"], shown["rate"], strict=True)) == lines
    cells = shown.set_index(["dataset", "rate"])
    assert cells.loc[("d", "I"), "Total"].startswith("50.00 [")
    # A single original gives no interval, and a model that was not run no rate.
    assert cells.loc[("e", "H")].tolist() == ["100.00", "-", "100.00"]
    assert cells.loc[("All", "H"), "Total"].startswith("50.00 [")


def test_totals_count_a_mutant_once_per_model(tmp_path: Path) -> None:
    rows = tabulate_totals(_study(tmp_path), seed=3)
    total = rows.iloc[-1]
    named = rows[(rows["dataset"] != "all") & (rows["model"] != "all")]
    for name in ("n", "biased", "hidden", "complete"):
        assert named[name].sum() == total[name]


def test_without_mutants_of_two_attributes_the_layout_is_empty(tmp_path: Path) -> None:
    row = verdict_row("o", 1, order=1, visible_order=1, biased=True)
    path = write_rows(tmp_path / "v.parquet", [row])
    rows = tabulate_totals([("m", "d", path)], seed=1)
    assert isinstance(rows, pd.DataFrame)
    assert rows.empty
    assert show_totals(rows).empty
