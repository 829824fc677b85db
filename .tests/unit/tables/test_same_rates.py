"""A rate has one interval, whichever table tells it."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.tables.columns import BIAS_RATES
from hinter.tables.probes import gender_income
from hinter.tables.rq1 import exhibits, table2_bias_rates
from hinter.tables.rq1.exhibits import tabulate_totals
from hinter.tables.rq1.table2_bias_rates import tabulate_bias_rates
from hinter.tables.rq3 import methods
from hinter.tables.rq4.groups_bias import tabulate_groups_bias
from random_studies import DATASETS, RandomStudy
from result_files import no_answers, write_counts
from simulated import write_pairs
from tries import alike

RATE = ["n", "biased", "bias_rate", "bias_rate_cluster_low", "bias_rate_cluster_high"]


@alike("seed", [0], [1, 2])
def test_a_rate_has_the_same_interval_in_tables_with_and_without_other_originals(
    seed: int, tmp_path: Path
) -> None:
    study = RandomStudy(tmp_path, seed=seed)
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b", "c"])
    groups = tabulate_groups_bias(study.parts, [], [], pairs=pairs, outcome_statuses=[], seed=3)
    whole = groups[(groups["attributes"] == "all") & (groups["level"] == "intersectional")]
    totals = tabulate_totals(study.parts, seed=3).set_index(["model", "dataset"])
    assert len(whole) == 4
    for row in whole.to_dict("records"):
        of_totals = totals.loc[(row["model"], row["dataset"]), RATE]
        assert [row[name] for name in RATE] == pytest.approx(of_totals.tolist(), rel=0)


def test_both_forms_of_table_2_have_all_intervals_of_a_rate(tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=1)
    ((_, _, path),) = write_counts(tmp_path, (2, None, 1000), (3, None, 1000))
    accuracy = pd.DataFrame(columns=["dataset", "model", "accuracy", "macro_f1"])
    counts = [("counts", dataset, path) for dataset in DATASETS]
    answers = no_answers(tmp_path, study.parts)
    table2 = tabulate_bias_rates(
        study.parts, counts, predictions=answers, accuracy=accuracy, seed=3
    )
    keys, ends = ["dataset", "model"], ("", "_low", "_high", "_cluster_low", "_cluster_high")
    columns = [f"{rate}{end}" for rate in BIAS_RATES for end in ends]
    rows = table2[table2["order"] == 2].set_index(keys)[columns]
    totals = tabulate_totals(study.parts, seed=3).set_index(keys)
    assert len(rows) == 4
    pd.testing.assert_frame_equal(rows, totals.loc[rows.index, columns])


def test_a_hidden_rate_of_complete_mutants_has_another_name_than_one_of_all_biased_ones() -> None:
    named = {
        (column, meaning.split(" / ")[1].split(" ")[0])
        for columns in (
            exhibits.COLUMNS,
            table2_bias_rates.TABLE.columns,
            gender_income.LATTICE_COLUMNS,
            methods.COLUMNS,
        )
        for column, meaning in columns.items()
        if column in ("hidden_rate", "hidden_rate_complete")
    }
    assert named == {("hidden_rate", "biased"), ("hidden_rate_complete", "complete")}
