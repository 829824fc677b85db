"""The corpus file: results/corpora/{dataset}.parquet."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..batches import batches_of
from ..errors import InputError

CORPUS_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("split", pa.string()),
        ("tested", pa.bool_()),
        ("text", pa.string()),
        ("labels", pa.list_(pa.string())),
        ("example", pa.string()),
    ]
)
"""`split` is `tested` for tested texts that are in no other split. `example` is the prompt's name
of a text in the split `examples`, and otherwise null."""
TESTED = "tested"
EXAMPLES = "examples"
FAULT = b"fault_in_examples"
"""The key in the file's metadata of a fault in its examples."""
TEXTS_AT_ONCE = 256
"""The texts of a row group, which are read at once."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a dataset with its labels (empty if the corpus has none)."""

    original_id: str
    text: str
    labels: tuple[str, ...] = ()


class SplitShard:
    """The texts of one shard of a split, read in blocks.

    The split's texts, sorted by original_id, are divided into `shards` runs of equal length;
    `shard` counts from 1. The split `tested` has all tested texts, also those of other splits.
    """

    def __init__(self, path: Path, *, split: str, shard: int, shards: int) -> None:
        self._path = path
        column, value = (TESTED, True) if split == TESTED else ("split", split)
        values = pq.read_table(path, columns=[column])[column].to_numpy()
        self._rows = np.array_split(np.flatnonzero(values == value), shards)[shard - 1]

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


def text_id(text: str) -> str:
    """Return the original_id of a text: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> None:
    """Write rows to a Parquet file with small row groups, as each is read at once."""
    table = pa.Table.from_pylist(list(rows), schema=schema)
    pq.write_table(table, path, compression="zstd", row_group_size=TEXTS_AT_ONCE)


def sample_corpus(corpus: pa.Table, *, size: int, seed: int) -> pa.Table:
    """Return at most `size` rows of the tested texts of a corpus, sampled by seeded hash."""
    tested = corpus.filter(corpus[TESTED])
    sampled = sample_splits(tested["original_id"].to_pylist(), sizes={TESTED: size}, seed=seed)
    return tested.filter(
        pc.is_in(tested["original_id"], value_set=pa.array([*sampled], type=pa.string()))
    )


def blocks_of(texts: Iterable[Text], *, characters: int) -> Iterator[list[Text]]:
    """Yield the texts in lists of at most `characters` characters, or of one longer text."""
    return batches_of(texts, length=lambda text: len(text.text), size=characters)


def read_split(path: Path, *, split: str) -> list[Text]:
    """Return the texts of one split (all tested texts for `tested`), in the corpus's order."""
    return list(SplitShard(path, split=split, shard=1, shards=1))


def read_examples(path: Path, ids: Sequence[str]) -> list[Text]:
    """Return the examples that a prompt calls `ids`, in that order.

    Raises `InputError` if the corpus records a fault in the examples of its prompt.
    """
    fault = fault_of_examples(pq.read_schema(path))
    if fault:
        raise fault
    rows = pq.read_table(path, filters=[("split", "=", EXAMPLES)]).to_pylist()
    texts = {row["example"]: _to_text(row) for row in rows}
    return [texts[name] for name in ids]


def with_fault(corpus: pa.Table, fault: Mapping[str, str] | None) -> pa.Table:
    """Return a corpus that records a fault in its examples, the parts of an `InputError`."""
    return corpus.replace_schema_metadata({FAULT: json.dumps(fault)}) if fault else corpus


def fault_of_examples(schema: pa.Schema) -> InputError | None:
    """Return the fault in the examples of a corpus with this schema, if there is one."""
    said = (schema.metadata or {}).get(FAULT)
    return InputError(**json.loads(said)) if said else None


def _to_text(row: dict[str, Any]) -> Text:
    return Text(row["original_id"], row["text"], tuple(row["labels"]))


def sample_splits(
    ids: Iterable[str], *, sizes: Mapping[str, int | None], seed: int
) -> dict[str, str]:
    """Return the split of each sampled id: disjoint splits of the given sizes (None: all the rest).

    Ids are ranked by the SHA-256 of seed and id, regardless of their order, and each split takes
    the next ones.
    """
    ranked = iter(sorted(ids, key=lambda key: hashlib.sha256(f"{seed}:{key}".encode()).digest()))
    return {key: split for split, size in sizes.items() for key in islice(ranked, size)}
