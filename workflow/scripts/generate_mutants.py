"""Generate the mutants of a shard of a corpus and check the invariant."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.blocks import RowGroups
from hinter.corpora import SplitShard, Text, blocks_of
from hinter.invariant import CheckedText, Invariant, check_block
from hinter.job import progress_bar, run_job
from hinter.mutants import (
    COUNTS_SCHEMA,
    MUTANTS_SCHEMA,
    OCCURRENCES_SCHEMA,
    MutantSample,
    count_mutants,
    list_orders,
    list_rulings,
    open_making,
)
from hinter.mutation import Operating

CHARACTERS_AT_ONCE = 100_000
SIZE_AT_ONCE = 400_000
"""Mutants, and the places of their recipes, that are listed at once."""


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
    mutation: list[dict[str, Any]],
    invariant: dict[str, Any],
    store: str,
    annotations: str,
    mutants: str,
    counts: str,
    sampled: str,
    occurrences: str,
) -> None:
    """Write the mutants of `orders` with their checks, the counts of all orders, and the sample.

    Also write what each operator of `mutation` decides on each occurrence. The texts are those of
    shard number `shard`, of `shards` shards, of a split of the corpus.
    """
    making = open_making(
        Path(pairs),
        parser=Path(parser),
        mutation=mutation,
        invariant=invariant,
        checks=store,
        annotations=annotations,
    )
    operators, check = [*making.operators.values()], making.invariant
    texts = SplitShard(Path(corpus), split=split, shard=shard, shards=shards)
    draws = [MutantSample(**sample, index=operating.index) for operating in operators]
    with (
        RowGroups(Path(mutants), schema=MUTANTS_SCHEMA.with_metadata(check.provenance)) as listed,
        RowGroups(Path(counts), schema=COUNTS_SCHEMA.with_metadata(check.provenance)) as counted,
        RowGroups(Path(occurrences), schema=OCCURRENCES_SCHEMA) as ruled,
        progress_bar(total=len(texts), label="mutants", unit=" texts") as bar,
    ):
        for block in blocks_of(texts, characters=CHARACTERS_AT_ONCE):
            by_operator = [
                _checked(block, operating, orders=[*orders, *sample["orders"]], invariant=check)
                for operating in operators
            ]
            for of_text in zip(*by_operator, strict=True):
                for operating, draw, checked in zip(operators, draws, of_text, strict=True):
                    index = operating.index
                    rulings = operating.rulings(checked.text.text)
                    ruled.write(list_rulings(checked.text, rulings, index=index))
                    for some in checked.parts(size=SIZE_AT_ONCE):
                        listed.write(list_orders([some], orders=orders, index=index))
                    counted.write(count_mutants([checked], operator=index.operator))
                    draw.consider(checked)
                bar.update()
    pq.write_table(pa.concat_tables(draw.table() for draw in draws), sampled, compression="zstd")


def _checked(
    block: Sequence[Text], operating: Operating, *, orders: list[int], invariant: Invariant
) -> Iterator[CheckedText]:
    operating.prepare(text.text for text in block)
    return check_block(
        block, index=operating.index, orders=orders, invariant=invariant, substituting=operating
    )


if __name__ == "__main__":
    run_job(main, snakemake)
