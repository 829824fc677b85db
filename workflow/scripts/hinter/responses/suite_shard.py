"""A shard of a suite: originals and the rows of their mutants, in blocks."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.dataset as ds

from ..batches import batches_of
from ..corpora import TEXTS_AT_ONCE, Text
from ..database import open_database
from ..limits import HeldOut

ROWS_AT_ONCE = 1024
CHARACTERS_AT_ONCE = 1 << 24
"""The maximum number of characters of originals at once, and about that of their mutants."""
COLUMNS = ("mutant_id", "original_id", "pair_ids", "operator", "edits", "valid", "sampled", "text")
"""The columns read from a suite. The sample whose grammar is scored does not have all of them, and
only the suites of prompts have texts."""
ROWS_IN_BLOCK = 16_384
"""The maximum number of inputs in a block, unless it has only one original."""

ORIGINALS = """
    WITH rows AS (
        SELECT original_id, false AS mutated, 0 AS inputs FROM ({held_out})
        UNION ALL
        SELECT original_id, true, 0 FROM read_parquet('{suite}') WHERE valid OR {discarded}
        UNION ALL
        SELECT original_id, true, 1 FROM read_parquet('{asked}') WHERE valid OR {discarded}
    )
    SELECT original_id, bool_or(mutated), 1 + sum(inputs)::BIGINT
    FROM rows GROUP BY original_id ORDER BY original_id
"""


class Row(NamedTuple):
    """An original, whether the suite has mutants of it, and its inputs: itself and its mutants."""

    original_id: str
    mutated: bool
    inputs: int


class Block(NamedTuple):
    """Some originals, and the rows of their mutants in lists of at most `ROWS_AT_ONCE`.

    Together, the originals of the rows in a list have at most `CHARACTERS_AT_ONCE` characters,
    unless the list has only one row.
    `mutated` are the originals with mutants in the suite. The others are held-out texts.
    """

    originals: list[Text]
    mutated: set[str]
    mutants: Iterator[list[dict[str, Any]]]


class SuiteShard:
    """One shard of a suite's originals with their mutants, and of held-out texts.

    The sorted originals are divided into `shards` runs with about equal numbers of inputs. `shard`
    counts from 1. The `held_out` texts are included; None includes none. Without `discarded`, the
    discarded mutants of the suite are left out. If the Parquet file `sample` is given, only its
    mutants are included; the originals are those of the suite.
    """

    def __init__(
        self,
        *,
        corpus: Path,
        suite: Path,
        held_out: HeldOut | None = None,
        discarded: bool = False,
        shard: int = 1,
        shards: int = 1,
        sample: Path | None = None,
    ) -> None:
        asked = sample or suite
        self._corpus, self._suite = ds.dataset(corpus), ds.dataset(asked)
        self._discarded = discarded
        texts = (held_out or HeldOut(0, seed=0)).query(f"read_parquet('{corpus}')")
        query = ORIGINALS.format(suite=suite, asked=asked, held_out=texts, discarded=discarded)
        rows = [Row(*row) for row in open_database().execute(query).fetchall()]
        total = sum(row.inputs for row in rows)
        ends = accumulate(row.inputs for row in rows)
        # A text belongs to the shard in which its last input falls.
        self._rows = [
            row
            for row, end in zip(rows, ends, strict=True)
            if (end - 1) * shards // total + 1 == shard
        ]

    def __len__(self) -> int:
        """Return the number of inputs: originals and mutants."""
        return sum(row.inputs for row in self._rows)

    @property
    def mutated(self) -> int:
        """The number of originals that have mutants in the suite."""
        return sum(row.mutated for row in self._rows)

    def blocks(self) -> Iterator[Block]:
        """Yield the inputs in the order of their originals."""
        for rows in batches_of(
            self._rows, length=lambda row: row.inputs, size=ROWS_IN_BLOCK, most=TEXTS_AT_ONCE
        ):
            ids = [row.original_id for row in rows]
            mutated = {row.original_id for row in rows if row.mutated}
            texts = self._corpus.to_table(
                columns=["original_id", "text"], filter=ds.field("original_id").isin(ids)
            )
            originals = [Text(**row) for row in texts.sort_by("original_id").to_pylist()]
            yield Block(originals, mutated, self._mutants(originals))

    def _mutants(self, originals: Sequence[Text]) -> Iterator[list[dict[str, Any]]]:
        lengths = {original.original_id: len(original.text) for original in originals}
        first, last = originals[0].original_id, originals[-1].original_id
        original = ds.field("original_id")
        kept = ds.field("valid") | ds.scalar(self._discarded)
        batches = self._suite.to_batches(
            columns=[name for name in COLUMNS if name in self._suite.schema.names],
            filter=(original >= first) & (original <= last) & kept,
            batch_size=ROWS_AT_ONCE,
            use_threads=False,
        )
        for batch in batches:
            yield from batches_of(
                batch.to_pylist(),
                length=lambda row: lengths[row["original_id"]],
                size=CHARACTERS_AT_ONCE,
            )
