"""Occurrences by rule."""

from pathlib import Path

import pyarrow.parquet as pq
from hinter.mutants import OCCURRENCES_SCHEMA
from hinter.tables.data.occurrences import show_occurrences, tabulate_occurrences


def test_occurrences_are_summed_by_rule(tmp_path: Path) -> None:
    rows = [
        {"attribute": "gender", "term": "man", "rule": None, "occurrences": 3},
        {"attribute": "gender", "term": "man", "rule": "compound", "occurrences": 2},
        {"attribute": "gender", "term": "he", "rule": "compound", "occurrences": 5},
    ]
    path = tmp_path / "results" / "occurrences" / "imdb.parquet"
    path.parent.mkdir(parents=True)
    columns = {name: [row[name] for row in rows] for name in OCCURRENCES_SCHEMA.names}
    pq.write_table(OCCURRENCES_SCHEMA.empty_table().from_pydict(columns, OCCURRENCES_SCHEMA), path)
    table = tabulate_occurrences([("occurrences", "imdb", path)])
    assert table["rule"].tolist() == ["compound", "count", "compound"]
    shown = show_occurrences(table)
    assert shown[["rule", "occurrences", "terms"]].values.tolist() == [
        ["compound", 7, 2],
        ["count", 3, 1],
    ]
    assert shown["most often"].tolist() == ["he, man", "man"]
    assert show_occurrences(table.iloc[:0]).empty
