"""Answers by status, against plain counting."""

from pathlib import Path

from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.tables.rq1.answers import ANSWERS as TABLE
from hinter.tables.rq1.answers import tabulate_answers
from result_files import STATUSES, random_answers, write_rows

LAST = ["partly_seen", "no_label"]


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
            expected.append([model, dataset, kind, *counts, 0, share])
    table = tabulate_answers(files)
    assert table.columns.tolist() == ["model", "dataset", "inputs", *STATUSES, *LAST]
    assert table.values.tolist() == expected


def test_a_status_that_no_answer_has_counts_nothing(tmp_path: Path) -> None:
    rows = [{"input_id": "o", "status": "ok"}, {"input_id": "o|a", "status": "identical"}]
    path = write_rows(tmp_path / "p.parquet", rows, PREDICTIONS_SCHEMA)
    table = tabulate_answers([("m", "d", path)])
    assert table[STATUSES].values.tolist() == [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0]]
    assert TABLE.show(table)["no label %"].tolist() == ["-", "0.00"]


def test_mutants_of_which_a_model_sees_only_some_pairs_are_counted(tmp_path: Path) -> None:
    orders = {"o": 0, "o|a": 1, "o|b": 0, "o|a|b": 1, "o|a|c": 2, "o|b|c": 0}
    rows = [
        {
            "input_id": key,
            "status": "identical" if "|" in key and not order else "ok",
            "visible_order": order,
        }
        for key, order in orders.items()
    ]
    path = write_rows(tmp_path / "p.parquet", rows, PREDICTIONS_SCHEMA)
    table = tabulate_answers([("m", "d", path)])
    assert table[["identical", "partly_seen"]].values.tolist() == [[2, 1], [0, 0]]
