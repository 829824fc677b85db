"""Mutants, counted by order, attributes and reason."""

from pathlib import Path

from hinter.mutants import COUNTS_SCHEMA
from hinter.tables.data.mutants import tabulate_mutants
from result_files import verdict_row, write_counts, write_rows


def test_mutants_are_counted_by_reason(tmp_path: Path) -> None:
    counts = write_counts(tmp_path, (2, None, 6), (2, "pos", 3), (2, "dep", 1), (2, "unchecked", 5))
    path = tmp_path / "suite.parquet"
    write_rows(path, [verdict_row("o", 1), verdict_row("o", 2, sampled=False)])
    (row,) = tabulate_mutants(counts, [("suites", "d", path)]).to_dict("records")
    assert row == {
        "dataset": "d",
        "order": 2,
        "attributes": "a+b",
        "mutants": 15,
        "valid": 6,
        "sentence_count": 0,
        "pos": 3,
        "dep": 1,
        "unchecked": 5,
        "tested": 1,
        "basis": "suite",
        "valid_share": 0.6,
    }


def test_a_sampled_order_is_a_sample_whatever_its_attributes_have_of_it(tmp_path: Path) -> None:
    counts = [
        {"original_id": "o", "order": 3, "attributes": name, "reason": None, "mutants": 9}
        for name in ("a+b+c", "a+b+d")
    ]
    suite = [
        verdict_row("o", 1, order=3, attributes="a+b+c", sampled=True),
        verdict_row("o", 2, sampled=False),
    ]
    paths = (
        write_rows(tmp_path / "c.parquet", counts, COUNTS_SCHEMA),
        write_rows(tmp_path / "s.parquet", suite, None),
    )
    rows = tabulate_mutants([("counts", "d", paths[0])], [("suites", "d", paths[1])])
    assert rows[["attributes", "tested", "basis"]].values.tolist() == [
        ["a+b+c", 1, "sample"],
        ["a+b+d", 0, "sample"],
    ]
