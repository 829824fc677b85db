"""Faults by combination of attributes, against counts by hand."""

from pathlib import Path

from hinter.tables.relations.faults import COMBINATIONS as TABLE
from hinter.tables.relations.faults import tabulate_combinations
from judged_follow_ups import AGE, Judged


def test_faults_are_counted_by_the_attributes_of_the_source(tmp_path: Path) -> None:
    judged = Judged(
        tmp_path,
        [
            *(("a", "MR16", (AGE,), True), ("b", "MR16", (AGE,), False)),
            *(("c", "MR16", (AGE,), True), ("c", "MR9", (), True), ("d", "MR10", (), None)),
        ],
    )
    table = tabulate_combinations(judged.verdicts, follow_up_sources=judged.follow_ups)
    counts = table[["attributes", "relation", "n", "faults", "fault_rate"]]
    assert counts.to_numpy().tolist() == [
        ["age+faith", "MR9", 1, 1, 1.0],
        ["age+faith", "MR16", 1, 1, 1.0],
        ["age+job", "MR16", 2, 1, 0.5],
    ]
    assert TABLE.show(table)["fault %"].tolist() == ["100.00", "100.00", "50.00"]
