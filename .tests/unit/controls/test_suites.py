"""Suites with their controls: joined block by block, as if all at once."""

import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.controls import join_controls, suites
from hinter.mutants import SUITE_SCHEMA
from lattices import MANY
from result_files import Row, write_rows

NEUTRAL = "control:chair>table"


def _controls(row: Row) -> list[Row]:
    """Return a control of a mutant and the harmless edit by itself, which others share."""
    original_id = row["original_id"]
    return [
        row
        | {
            "mutant_id": "|".join([original_id, *pair_ids]),
            "order": len(pair_ids),
            "attributes": "+".join(pair_id.split(":")[0] for pair_id in pair_ids),
            "pair_ids": pair_ids,
            "sampled": sampled,
            "control": True,
        }
        for pair_ids, sampled in [
            ([*row["pair_ids"][:-1], NEUTRAL], row["sampled"]),
            ([NEUTRAL], random.Random(row["mutant_id"]).choice([None, True, False])),
        ]
    ]


def test_a_suite_with_controls_is_the_same_for_any_number_of_originals_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mutant is there once: as it was listed, else drawn, else as a sub-mutant."""
    sampled = [row for row in MANY if row["valid"]]
    controls = [control for row in sampled for control in _controls(row)]
    random.Random(1).shuffle(controls)
    rank = {None: 0, True: 1, False: 2}
    expected: dict[str, Row] = {}
    for row in sorted([*sampled, *controls], key=lambda row: rank[row["sampled"]]):
        expected.setdefault(row["mutant_id"], row)
    files = set()
    for size in (10**6, 100, 17, 1):
        monkeypatch.setattr(suites, "MUTANTS_AT_ONCE", size)
        joined = tmp_path / "suite.parquet"
        join_controls(
            write_rows(tmp_path / "drawn.parquet", sampled, SUITE_SCHEMA),
            write_rows(tmp_path / "controls.parquet", controls, SUITE_SCHEMA),
            joined,
        )
        files.add(joined.read_bytes())
    assert len(files) == 1
    found = pq.read_table(joined).to_pylist()
    keys = [
        (row["original_id"], row["order"], row["attributes"], row["mutant_id"]) for row in found
    ]
    assert keys == sorted(keys)
    assert {row["mutant_id"]: (row["sampled"], row["control"]) for row in found} == {
        key: (row["sampled"], row["control"]) for key, row in expected.items()
    }
    assert len(found) == len(expected) > len(sampled)
