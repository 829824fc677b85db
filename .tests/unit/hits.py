"""Made-up hits of probes, as their files hold them."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.probes import HITS_SCHEMA

Row = dict[str, Any]


def hit_file(path: Path, rows: list[Row]) -> Path:
    """Write rows to a file of hits; what they leave out is null, or empty."""
    empty: Row = {"kinds": [], "facts": {}, "labels": []}
    records = [{**empty, **row} for row in rows]
    for record in records:
        record["facts"] = sorted(record["facts"].items())
        record["scores"] = sorted(record["scores"].items()) if "scores" in record else None
    pq.write_table(pa.Table.from_pylist(records, schema=HITS_SCHEMA), path)
    return path
