"""Files of made-up corpora."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.corpora import CORPUS_SCHEMA


def numbered_id(number: int) -> str:
    return f"id{number:04}"


def write_corpus(path: Path, rows: Sequence[tuple[str, str]], *, group: int = 256) -> Path:
    """Write texts given as (split, text), with ids in their order."""
    table = pa.Table.from_pylist(
        [
            {
                "original_id": numbered_id(number),
                "split": split,
                "tested": split == "tested",
                "text": text,
                "labels": [split],
            }
            for number, (split, text) in enumerate(rows)
        ],
        schema=CORPUS_SCHEMA,
    )
    pq.write_table(table, path, row_group_size=group)
    return path
