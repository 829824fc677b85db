"""Comparators side by side."""

from pathlib import Path

import pytest
from hinter.mutants import COMPARATORS_SCHEMA
from hinter.tables.rq3.checks import COMPARATORS as TABLE
from hinter.tables.rq3.checks import tabulate_comparators
from result_files import verdict_row, write_rows


def test_comparators_stand_side_by_side(tmp_path: Path) -> None:
    verdicts = [
        verdict_row("o1", 1, biased=True),
        verdict_row("o1", 2),
        verdict_row("o2", 1, valid=False, biased=True),
        verdict_row("o2", 2, valid=False),
        verdict_row("o3", 1, biased=None),
    ]
    said = [("valid", "valid"), ("valid", "pos"), ("dep", "dep"), ("pos", "valid"), ("valid",) * 2]
    comparators = [
        {"mutant_id": row["mutant_id"], "tolerant": first, "strict": second, "heads": "dep"}
        for row, (first, second) in zip(verdicts, said, strict=True)
    ]
    paths = (
        write_rows(tmp_path / "v.parquet", verdicts, None),
        write_rows(tmp_path / "c.parquet", comparators, COMPARATORS_SCHEMA),
    )
    table = tabulate_comparators([("m", "d", paths[0])], [("c", "d", paths[1])], seed=1)
    rows = {row["comparator"]: row for row in table.to_dict("records")}
    assert {name: (row["n"], row["valid"]) for name, row in rows.items()} == {
        "tolerant": (5, 3),
        "strict": (5, 3),
        "heads": (5, 0),
    }
    assert {name: row["agreement"] for name, row in rows.items()} == {
        "tolerant": 1.0,
        "strict": 0.6,
        "heads": 0.4,
    }
    # 0.6 of both said valid, so by chance they agree on 0.6 * 0.6 + 0.4 * 0.4 = 0.52.
    assert rows["strict"]["kappa"] == pytest.approx((0.6 - 0.52) / (1 - 0.52), abs=1e-6)
    strict = rows["strict"]
    assert (strict["bias_valid_n"], strict["bias_valid"]) == (2, 0.5)
    assert (strict["bias_discarded_n"], strict["bias_discarded"]) == (2, 0.5)
    assert (rows["heads"]["bias_valid_n"], rows["heads"]["bias_discarded_n"]) == (0, 4)
    assert TABLE.show(table)["bias of valid %"].tolist()[0] == "-"


def test_models_that_ran_no_discarded_mutants_have_no_rows(tmp_path: Path) -> None:
    valid = [verdict_row("o1", 1, biased=True), verdict_row("o2", 1)]
    verdicts = [*valid, verdict_row("o2", 2, valid=False)]
    comparators = [
        {"mutant_id": row["mutant_id"], "tolerant": said, "strict": said, "heads": said}
        for row, said in zip(verdicts, ("valid", "valid", "pos"), strict=True)
    ]
    said = write_rows(tmp_path / "c.parquet", comparators, COMPARATORS_SCHEMA)
    parts = [
        (model, "d", write_rows(tmp_path / f"{model}.parquet", rows))
        for model, rows in (("m", verdicts), ("prompted", valid))
    ]
    table = tabulate_comparators(parts, [("c", "d", said)], seed=1)
    assert set(table["model"]) == {"m"}
    assert table["n"].tolist() == [3, 3, 3]
