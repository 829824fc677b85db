"""Faults of relations, against counts by hand."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.statistics import wilson_interval
from hinter.tables.relations.faults import FAULTS as TABLE
from hinter.tables.relations.faults import tabulate_faults
from judged_follow_ups import AGE, JOB, Judged


@pytest.fixture
def faults(tmp_path: Path) -> pd.DataFrame:
    """Three relations, of which one has a follow-up without a rating."""
    judged = Judged(
        tmp_path,
        [
            *(("a", "MR16", (AGE,), True), ("a", "MR16", (JOB,), True)),
            *(("b", "MR16", (AGE,), False), ("c", "MR16", (AGE,), None)),
            *(("a", "MR4", (AGE, JOB), True), ("b", "MR4", (AGE, JOB), False)),
            *(("a", "MR10", (), False), ("b", "MR10", (), False)),
        ],
    )
    return tabulate_faults(judged.verdicts, follow_up_sources=judged.follow_ups, seed=1)


def test_rates_are_of_follow_ups_with_a_rating_by_source(faults: pd.DataFrame) -> None:
    assert faults["relation"].tolist() == ["MR4", "MR10", "MR16"]
    rows = faults.set_index("relation")
    counts = rows[["follow_ups", "n", "faults", "sources", "faulty_sources", "rank"]]
    assert counts.loc["MR16"].tolist() == [4, 3, 2, 2, 1, 1]
    assert counts.loc["MR4"].tolist() == [2, 2, 1, 2, 1, 2]
    assert counts.loc["MR10"].tolist() == [2, 2, 0, 2, 0, 3]
    # Of two sources, little can be said.
    assert rows[["rank_low", "rank_high"]].to_numpy().tolist() == [[1, 3]] * 3
    assert rows.loc["MR16", "fault_rate"] == pytest.approx(2 / 3, abs=1e-6)
    low, _ = wilson_interval(2, 3)
    assert rows.loc["MR16", "fault_rate_low"] == pytest.approx(low, abs=1e-6)
    assert rows["shift"].tolist() == [-0.75, 0.5, -2.0]


def test_relations_that_add_or_remove_are_told_apart(faults: pd.DataFrame) -> None:
    shown = TABLE.show(faults).set_index("relation")["information"]
    assert shown.to_dict() == {"MR4": "added or removed", "MR10": "kept", "MR16": "kept"}
