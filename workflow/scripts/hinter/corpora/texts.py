"""The corpus file of the contract: results/corpora/{dataset}.parquet."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

CORPUS_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("split", pa.string()),
        ("text", pa.string()),
        ("labels", pa.list_(pa.string())),
    ]
)


@dataclass(frozen=True)
class Text:
    """A text of a dataset with its labels (empty where the corpus has none)."""

    original_id: str
    text: str
    labels: tuple[str, ...] = ()


def read_split(path: Path, *, split: str) -> list[Text]:
    """Return the texts of one split, sorted by original_id."""
    rows = pq.read_table(path, filters=[("split", "=", split)]).sort_by("original_id").to_pylist()
    return [Text(row["original_id"], row["text"], tuple(row["labels"])) for row in rows]
