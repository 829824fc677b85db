"""Occurrences by rule."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from corpus_files import write_corpus
from hinter.mutants import OCCURRENCES_SCHEMA
from hinter.tables.data.mutants import NOTHING, show_occurrences, tabulate_occurrences


def test_occurrences_are_summed_by_rule(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "imdb.parquet", [("tested", text) for text in "abc"], group=4)
    first, second, _ = pq.read_table(corpus)["original_id"].to_pylist()
    found = [
        *[(first, "man", None)] * 3,
        *[(first, "man", "compound")] * 2,
        *[(first, "he", "compound")] * 4,
        (second, "he", "compound"),
    ]
    # A mention is ruled on for each attribute.
    rows = [
        {
            "original_id": key,
            "operator": "describe",
            "attribute": attribute,
            "source": source,
            "rule": rule,
        }
        for key, source, rule in found
        for attribute in ("body", "race")
    ]
    rows.append(rows[0] | {"operator": "literal"})
    path = tmp_path / "occurrences.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=OCCURRENCES_SCHEMA), path)
    table = tabulate_occurrences([("corpora", "imdb", corpus)], [("occurrences", "imdb", path)])
    rules = [*["compound", "count", "compound"] * 2, "count"]
    assert table["rule"].tolist() == [NOTHING, *rules]
    shown = show_occurrences(table)
    assert shown[["operator", "rule", "occurrences", "texts", "terms"]].values.tolist() == [
        ["", NOTHING, 0, 1, 0],
        ["describe", "compound", 14, 2, 2],
        ["describe", "count", 6, 1, 1],
        ["literal", "count", 1, 1, 1],
    ]
    assert shown["%"].tolist() == ["0.00", "70.00", "30.00", "100.00"]
    assert shown["most often"].tolist() == ["", "he, man", "man", "man"]
    assert show_occurrences(table.iloc[:0]).empty
