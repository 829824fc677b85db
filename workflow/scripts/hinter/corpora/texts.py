"""The corpus file of the contract: results/corpora/{dataset}.parquet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
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
TEXTS_AT_ONCE = 256
"""Texts in a row group, which is as many as are read at once."""


@dataclass(frozen=True)
class Text:
    """A text of a dataset with its labels (empty where the corpus has none)."""

    original_id: str
    text: str
    labels: tuple[str, ...] = ()


class SplitShard:
    """The texts of one shard of a split, read some at a time.

    The split's texts, sorted by original_id, are divided into `shards` runs of equal length;
    `shard` counts from 1.
    """

    def __init__(self, path: Path, *, split: str, shard: int, shards: int) -> None:
        self._path = path
        splits = pq.read_table(path, columns=["split"])["split"].to_numpy()
        self._rows = np.array_split(np.flatnonzero(splits == split), shards)[shard - 1]

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self._rows)

    def __iter__(self) -> Iterator[Text]:
        """Yield the texts in order."""
        first = 0
        for batch in pq.ParquetFile(self._path).iter_batches(TEXTS_AT_ONCE):
            inside = (self._rows >= first) & (self._rows < first + len(batch))
            yield from map(_to_text, batch.take(self._rows[inside] - first).to_pylist())
            first += len(batch)


def blocks_of(texts: Iterable[Text], *, characters: int) -> Iterator[list[Text]]:
    """Yield the texts in lists of `characters` characters or just over."""
    block: list[Text] = []
    for text in texts:
        block.append(text)
        if sum(len(member.text) for member in block) >= characters:
            yield block
            block = []
    if block:
        yield block


def read_split(path: Path, *, split: str) -> list[Text]:
    """Return the texts of one split, sorted by original_id."""
    rows = pq.read_table(path, filters=[("split", "=", split)]).sort_by("original_id").to_pylist()
    return [_to_text(row) for row in rows]


def _to_text(row: dict[str, Any]) -> Text:
    return Text(row["original_id"], row["text"], tuple(row["labels"]))
