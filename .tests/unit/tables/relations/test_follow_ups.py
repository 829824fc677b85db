"""The table of follow-ups, against counts by hand."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.relations import FOLLOW_UPS_SCHEMA
from hinter.tables.relations.follow_ups import FOLLOW_UPS as TABLE
from hinter.tables.relations.follow_ups import tabulate_follow_ups


def test_sources_that_a_relation_does_not_apply_to_are_counted(tmp_path: Path) -> None:
    rows = [
        {"source_id": source, "relation": relation, "text": text}
        for source, relation, text in (
            *(("a", "MR5", "x"), ("a", "MR5", "y"), ("b", "MR5", "x"), ("c", "MR5", "z")),
            *(("a", "MR6.1", "x"), ("c", "MR6.1", "v"), ("d", "MR4", "w")),
        )
    ]
    path = tmp_path / "follow_ups.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=FOLLOW_UPS_SCHEMA), path)
    table = tabulate_follow_ups(path)
    counts = table.set_index("relation")[["sources", "applicable", "follow_ups", "texts"]]
    assert counts.loc["MR5"].tolist() == [4, 3, 4, 3]
    assert counts.loc["MR6.1"].tolist() == [4, 2, 2, 2]
    assert counts.loc["MR17"].tolist() == [4, 0, 0, 0]
    assert len(table) == 19 and table["applicable_share"].tolist()[5] == 0.75
    shown = TABLE.show(table).set_index("relation")
    assert shown.loc["MR5", ["does not apply to", "information"]].tolist() == [
        *(1, "added or removed")
    ]
    assert shown.loc["MR17", "information"] == "kept"
