"""A rate has one interval, whichever table tells it."""

from pathlib import Path

import pytest
from hinter.tables.rq1.table2_totals import tabulate_totals
from hinter.tables.rq4.groups_bias import tabulate_groups_bias
from random_studies import RandomStudy
from simulated import write_pairs

RATE = ["n", "biased", "bias_rate", "bias_rate_cluster_low", "bias_rate_cluster_high"]


@pytest.mark.parametrize("seed", range(3))
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
