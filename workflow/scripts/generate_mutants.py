"""Generate the mutants of a shard of a corpus and check the invariant."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.blocks import RowGroups
from hinter.corpora import SplitShard, Text, blocks_of
from hinter.invariant import CheckedText, check_block
from hinter.job import progress_bar, run_job
from hinter.mutants import (
    COUNTS_SCHEMA,
    MUTANTS_SCHEMA,
    OCCURRENCES_SCHEMA,
    Making,
    MutantSample,
    count_mutants,
    list_orders,
    list_rulings,
    open_making,
)

CHARACTERS_AT_ONCE = 100_000
SIZE_AT_ONCE = 400_000
"""Mutants, and the edits of their recipes, that are listed at once."""


def main(
    *,
    corpus: str,
    pairs: str,
    parser: str,
    split: str,
    shard: int,
    shards: int,
    orders: list[int],
    sample: dict[str, Any],
    store: str,
    mutants: str,
    counts: str,
    sampled: str,
    occurrences: str,
    **settings: Any,
) -> None:
    """Write the mutants of a shard of texts, each with its check, to four Parquet files.

    The texts are those of shard number `shard`, of `shards` shards, of a split of the corpus. The
    file `mutants` gets their mutants of the `orders`, `counts` the exact numbers by order,
    `sampled` mutants of higher orders (`sample` has the arguments of `MutantSample`), and
    `occurrences` what each operator decides on each occurrence. Checks of sentences are kept in
    `store`. The `settings` are further arguments of `open_making`.
    """
    making = open_making(Path(pairs), parser=Path(parser), checks=store, **settings)
    texts = SplitShard(Path(corpus), split=split, shard=shard, shards=shards)
    samples = [MutantSample(**sample, index=one.index) for one in making.operators.values()]
    provenance = making.invariant.provenance
    with (
        RowGroups(Path(mutants), schema=MUTANTS_SCHEMA.with_metadata(provenance)) as listed,
        RowGroups(Path(counts), schema=COUNTS_SCHEMA.with_metadata(provenance)) as counted,
        RowGroups(Path(occurrences), schema=OCCURRENCES_SCHEMA) as ruled,
        progress_bar(total=len(texts), label="mutants", unit=" texts") as bar,
    ):
        for of_text in _checked(texts, making, orders=[*orders, *sample["orders"]]):
            for operating, checked, sampling in zip(
                making.operators.values(), of_text, samples, strict=True
            ):
                text, index = checked.text, operating.index
                ruled.write(list_rulings(text, operating.rulings(text.text), index=index))
                for some in checked.parts(size=SIZE_AT_ONCE):
                    listed.write(list_orders([some], orders=orders, index=index))
                counted.write(count_mutants([checked], operator=index.operator))
                sampling.consider(checked)
            bar.update()
    pq.write_table(pa.concat_tables(one.table() for one in samples), sampled, compression="zstd")


def _checked(
    texts: Iterable[Text], making: Making, *, orders: list[int]
) -> Iterator[tuple[CheckedText, ...]]:
    """Yield the checks on the mutants of each text, by each operator."""
    for block in blocks_of(texts, characters=CHARACTERS_AT_ONCE):
        for operating in making.operators.values():
            operating.prepare(text.text for text in block)
        by_operator = [
            check_block(block, operating=operating, orders=orders, invariant=making.invariant)
            for operating in making.operators.values()
        ]
        yield from zip(*by_operator, strict=True)


if __name__ == "__main__":
    run_job(main, snakemake)
