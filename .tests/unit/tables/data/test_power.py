"""What suites are expected to find, against studies drawn mutant by mutant and tabulated."""

import random
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.mutants import SUITE_SCHEMA
from hinter.tables.data.power import BASE_RATES, COLUMNS, TABLE, tabulate_power
from hinter.tables.rq1.excess import tabulate_excess
from made_up import control_of
from result_files import Parts, write_rows
from simulated import judge, make_suite

ORIGINALS, STUDIES = 24, 150
BASE_RATE, CORRELATION = 0.1, 0.4


class Suite(NamedTuple):
    """A suite with controls, and its files."""

    rows: pd.DataFrame
    suites: Parts
    controls: Parts


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Return one whose mutants share sub-mutants, and many of their controls."""
    folder = tmp_path_factory.mktemp("suite")
    mutants = make_suite(
        originals=ORIGINALS, attributes=["a", "b"], orders=[1, 2], targets=("x", "y")
    )
    # Originals have unequal numbers of mutants.
    sampled = random.Random(1)
    lost = {pair for pair in mutants["mutant_id"] if sampled.random() < 0.2}
    mutants = mutants[~mutants["mutant_id"].isin(lost)]
    partners = [control_of(row.mutant_id, row.pair_ids) for row in mutants.itertuples()]
    whole = pd.concat([mutants, pd.DataFrame(partners).drop_duplicates("mutant_id")])
    matches = [
        {"mutant_id": key, "control_id": partner["mutant_id"]}
        for key, partner in zip(mutants["mutant_id"], partners, strict=True)
    ]
    pq.write_table(
        pa.Table.from_pylist(whole.to_dict("records"), schema=SUITE_SCHEMA), folder / "d.parquet"
    )
    controls = write_rows(folder / "controls" / "d.parquet", matches, CONTROLS_SCHEMA)
    return Suite(whole, [("suites", "d", folder / "d.parquet")], [("controls", "d", controls)])


def test_the_table_tells_of_each_suite_that_models_are_run_on(suite: Suite) -> None:
    ((_, dataset, path),) = suite.suites
    parts: Parts = [*suite.suites, ("m", "other", path)]
    table = tabulate_power(parts, suite.controls, seed=1)
    assert list(table) == list(COLUMNS)
    # Without controls nothing is compared.
    assert table[["suite", "dataset"]].eq(["whole", dataset]).all(axis=None)
    lines = [(1, "bias"), (2, "bias"), (2, "hidden bias")]
    told = [*zip(table["order"], table["measure"], table["base_rate"], strict=True)]
    assert told == [(*line, rate) for line in lines for rate in BASE_RATES]
    # All atomic mutants of an original share a control, whose outcome weighs as much as all theirs.
    assert (table["found_share"] <= 0.08).all()
    assert (table["together_share"] > table["found_share"]).all()
    hidden = table["measure"] == "hidden bias"
    # Bias of one attribute is there in sub-mutants, too.
    assert (table.loc[hidden, "attribute_share"] <= 0.05).all()
    assert (table["least_excess"] > table["excess_half_width"]).all()
    assert len(TABLE.show(table)) == len(table)
    assert tabulate_power([("m", "d", path)], suite.controls, seed=1)["suite"].eq("m").all()


def test_without_controls_there_are_no_rows(suite: Suite, tmp_path: Path) -> None:
    none = [("controls", "d", write_rows(tmp_path / "c.parquet", [], CONTROLS_SCHEMA))]
    table = tabulate_power(suite.suites, none, seed=1)
    assert list(table) == list(COLUMNS) and table.empty and TABLE.show(table).empty


def _study(suite: Suite, folder: Path, *, planted: float, order: int, seed: int) -> pd.DataFrame:
    """Return the excess rows of a model whose outcomes are drawn one by one."""
    draw = random.Random(seed)
    spread = (1 - CORRELATION) / CORRELATION

    def rate(mean: float) -> float:
        return draw.betavariate(mean * spread, (1 - mean) * spread) if mean else 0.0

    rates = {name: (rate(BASE_RATE), rate(planted)) for name in suite.rows["original_id"].unique()}
    struck = suite.rows.loc[
        (suite.rows["order"] == order) & ~suite.rows["control"].astype(bool), "mutant_id"
    ]
    biased = {*struck}

    def changed(key: str) -> bool:
        own, by_bias = rates[key.split("|")[0]]
        return draw.random() < own or (key in biased and draw.random() < by_bias)

    verdicts = judge(suite.rows, changed, verdicts=folder / "m" / "d.parquet")
    primary = {"measure": "bias", "order": order}
    rows = tabulate_excess([("m", "d", verdicts)], suite.controls, primary=primary, seed=1)
    (compared_with,) = rows.loc[rows["primary"], "compared_with"]
    of_all = (rows["attributes"] == "all") & (rows["order"] == order)
    return rows[of_all & (rows["compared_with"] == compared_with)].set_index("measure")


@pytest.mark.release
@pytest.mark.parametrize("planted", [0.0, 0.1])
def test_studies_drawn_mutant_by_mutant_find_as_much(
    planted: float, suite: Suite, tmp_path: Path
) -> None:
    rows = [_study(suite, tmp_path, planted=planted, order=2, seed=seed) for seed in range(STUDIES)]
    told = tabulate_power(suite.suites, suite.controls, seed=1)
    told = told[(told["order"] == 2) & (told["base_rate"] == BASE_RATE)].set_index("measure")
    assert told["correlation"].eq(CORRELATION).all()
    for measure, expected in told.iterrows():
        found = pd.DataFrame([study.loc[measure] for study in rows])
        assert found[["n", "originals"]].eq(expected[["n", "originals"]]).all(axis=None)
        significant = ((found["p_value"] <= 0.05) & (found["excess"] > 0)).mean()
        column = "together_share" if planted else "found_share"
        assert significant == pytest.approx(expected[column], abs=0.16 if planted else 0.05)
        if not planted:
            half_width = (found["excess_high"] - found["excess_low"]).mean() / 2
            assert half_width == pytest.approx(expected["excess_half_width"], rel=0.05)
            assert expected["found_share"] <= 0.05
