"""Generate all mutants of a corpus and check the invariant."""

import logging
from collections import Counter
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.corpora import read_split
from hinter.dictionary import read_pairs
from hinter.invariant import MUTANTS_SCHEMA, Parser, check_block, mutants_table
from hinter.job import logged_to, progress_bar
from hinter.mutation import DictionaryIndex

TEXTS_AT_ONCE = 64


def main(*, corpus: str, pairs: str, parser: str, orders: list[int], mutants: str) -> None:
    """Write every mutant of the corpus's tested texts with its verdict to the Parquet `mutants`."""
    index = DictionaryIndex(read_pairs(Path(pairs)))
    texts = read_split(Path(corpus), split="tested")
    pipeline = Parser(Path(parser))
    remaining, counts = iter(texts), Counter[tuple[int, str]]()
    with (
        pq.ParquetWriter(mutants, MUTANTS_SCHEMA, compression="zstd") as writer,
        progress_bar(total=len(texts), label="mutants", unit=" texts") as bar,
    ):
        while block := list(islice(remaining, TEXTS_AT_ONCE)):
            verdicts = check_block(block, index=index, orders=orders, parser=pipeline)
            table = mutants_table(verdicts, index=index)
            writer.write_table(table)
            counts.update(_count(table))
            bar.update(len(block))
    for (order, reason), count in sorted(counts.items()):
        logging.info("order %d: %d %s", order, count, reason)


def _count(table: pa.Table) -> dict[tuple[int, str], int]:
    counted = table.group_by(["order", "reason"]).aggregate([([], "count_all")]).to_pylist()
    return {(row["order"], row["reason"] or "valid"): row["count_all"] for row in counted}


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
