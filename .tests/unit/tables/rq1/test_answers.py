"""Answers by status, against plain counting."""

from pathlib import Path

from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.tables.rq1.answers import TABLE, tabulate_answers
from result_files import STATUSES, random_answers, write_rows


def test_answers_are_counted_by_status(tmp_path: Path) -> None:
    ids = [f"o{number}" for number in range(40)] + [f"o{number}|a:x>y" for number in range(60)]
    files, expected = [], []
    for seed, (model, dataset) in enumerate([("m", "d"), ("m", "e"), ("other", "d")]):
        rows = [
            {"input_id": key, "status": status, "outcome": outcome}
            for key, (status, outcome) in zip(ids, random_answers(seed, count=100), strict=True)
        ]
        path = write_rows(tmp_path / f"{seed}.parquet", rows, PREDICTIONS_SCHEMA)
        files.append((model, dataset, path))
        for kind in ("mutants", "originals"):
            of_kind = [
                row["status"] for row in rows if ("|" in row["input_id"]) == (kind[0] == "m")
            ]
            counts = [of_kind.count(status) for status in STATUSES]
            run = len(of_kind) - counts[1]
            share = round((run - counts[0]) / run, 6)
            expected.append([model, dataset, kind, *counts, share])
    table = tabulate_answers(files)
    assert table.columns.tolist() == ["model", "dataset", "inputs", *STATUSES, "no_label"]
    assert table.values.tolist() == expected


def test_a_status_that_no_answer_has_counts_nothing(tmp_path: Path) -> None:
    rows = [{"input_id": "o", "status": "ok"}, {"input_id": "o|a", "status": "identical"}]
    path = write_rows(tmp_path / "p.parquet", rows, PREDICTIONS_SCHEMA)
    table = tabulate_answers([("m", "d", path)])
    assert table[STATUSES].values.tolist() == [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0]]
    assert TABLE.show(table)["no label %"].tolist() == ["-", "0.00"]
