"""Hidden faults among follow-ups, against counts by hand."""

from pathlib import Path

from hinter.tables.relations.faults import HIDDEN_FAULTS as TABLE
from hinter.tables.relations.faults import tabulate_hidden_faults
from judged_follow_ups import AGE, JOB, FaultOf, Judged

FAITH = "faith:Islam>"


def _of(source: str, *, one: bool | None, other: bool | None, both: bool) -> list[FaultOf]:
    return [
        (source, "MR5", (AGE,), one),
        (source, "MR5", (JOB,), other),
        (source, "MR4", (AGE, JOB), both),
    ]


def test_a_fault_is_hidden_where_all_parts_are_known_and_none_reveals_it(tmp_path: Path) -> None:
    judged = Judged(
        tmp_path,
        [
            *_of("a", one=False, other=False, both=True),
            *_of("b", one=True, other=False, both=True),
            *_of("c", one=False, other=False, both=False),
            *_of("d", one=None, other=False, both=True),
            # Three attributes whose pairs are not all known, and an addition in another place.
            ("e", "MR4", (AGE, FAITH, JOB), True),
            ("e", "MR5", (AGE,), False),
            ("f", "MR3.1", (AGE, JOB), True),
        ],
    )
    table = tabulate_hidden_faults(judged.verdicts, follow_up_sources=judged.follow_ups)
    counts = table[["family", "order", "n", "complete", "faults", "hidden"]]
    assert counts.to_numpy().tolist() == [["removal", 2, 4, 3, 2, 1], ["removal", 3, 1, 0, 0, 0]]
    assert table["hidden_rate"].tolist()[0] == 0.5
    assert TABLE.show(table)["hidden %"].tolist()[0] == "50.00"
