"""The noise floor, against plain counting."""

import random
from pathlib import Path

import pytest
from hinter.predictions import REPEATS_SCHEMA
from hinter.statistics import wilson_interval
from hinter.tables.rq1.answers import NOISE_FLOOR as TABLE
from hinter.tables.rq1.answers import tabulate_noise
from result_files import random_answers, write_rows

ALL_STATUSES = ("none", "refused", "unparsed")


@pytest.mark.parametrize("listed", [[], ["none", "refused"], ["none", "refused", "unparsed"]])
def test_the_noise_floor_counts_outcomes_that_differ_from_the_first(
    listed: list[str], tmp_path: Path
) -> None:
    rows = [
        {"original_id": f"o{number}", "repeat": repeat, "status": status, "outcome": outcome}
        for number in range(30)
        for repeat, (status, outcome) in enumerate(random_answers(number, count=5), start=1)
    ]
    for row in rows:
        # A part that always says the same.
        if int(row["original_id"][1:]) % 3 == 0:
            row.update(status="ok", outcome=["x"])
    random.Random(1).shuffle(rows)
    first = {row["original_id"]: row for row in rows if row["repeat"] == 1}
    counted = [
        (row, first[row["original_id"]])
        for row in rows
        if row["repeat"] > 1
        and {row["status"], first[row["original_id"]]["status"]} <= {"ok", *listed}
    ]
    flipped = [
        row["original_id"]
        for row, other in counted
        if (row["status"], row["outcome"]) != (other["status"], other["outcome"])
    ]
    path = write_rows(tmp_path / "r.parquet", rows, REPEATS_SCHEMA)
    (found,) = tabulate_noise([("m", "d", path)], outcome_statuses=listed).to_dict("records")
    assert 0 < len(flipped) < len(counted)
    low, high = wilson_interval(len(flipped), len(counted))
    assert found == {
        "model": "m",
        "dataset": "d",
        "originals": len({row["original_id"] for row, _ in counted}),
        "repeats": len(counted),
        "flips": len(flipped),
        "flipped_originals": len(set(flipped)),
        "flip_rate": round(len(flipped) / len(counted), 6),
        "flip_rate_low": round(low, 6),
        "flip_rate_high": round(high, 6),
    }


def test_each_model_and_dataset_has_its_own_noise_floor(tmp_path: Path) -> None:
    same = [{"original_id": "o", "repeat": n, "status": "ok", "outcome": ["x"]} for n in (1, 2, 3)]
    changed = [row | {"outcome": ["x", "y"]} if row["repeat"] == 3 else row for row in same]
    refused = [
        row | {"status": "refused" if row["repeat"] == 1 else "none", "outcome": None}
        for row in same
    ]
    files = [
        ("m", "d", write_rows(tmp_path / "0.parquet", same, REPEATS_SCHEMA)),
        ("m", "e", write_rows(tmp_path / "1.parquet", changed, REPEATS_SCHEMA)),
        ("n", "d", write_rows(tmp_path / "2.parquet", refused, REPEATS_SCHEMA)),
    ]
    table = tabulate_noise(files, outcome_statuses=ALL_STATUSES)
    assert table["flips"].tolist() == [0, 1, 2]
    assert TABLE.show(table)["flips %"].tolist() == ["0.00", "50.00", "100.00"]
