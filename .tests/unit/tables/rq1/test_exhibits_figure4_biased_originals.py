"""Biased originals."""

from pathlib import Path

from hinter.tables.rq1.exhibits import tabulate_biased_originals
from result_files import VERDICTS, write_rows


def test_originals_are_biased_by_any_of_their_mutants(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "verdicts.parquet", VERDICTS)
    both = [("m", "d", path), ("other", "d", path)]
    rows = tabulate_biased_originals(both).to_dict("records")
    assert [(row["model"], row["originals"], row["biased"]) for row in rows] == [
        ("m", 3, 2),
        ("other", 3, 2),
        ("all", 3, 2),
    ]
