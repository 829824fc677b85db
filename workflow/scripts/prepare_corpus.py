"""Prepare the corpus of a dataset."""

import logging
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hinter.corpora import TEXTS_AT_ONCE, fault_of_examples, prepare_corpus
from hinter.dictionary import write_csv
from hinter.job import run_job, warn


def main(
    *,
    path: str,
    sheet: dict[str, Any],
    examples: dict[str, list[str]],
    seed: int,
    corpus: str,
    counts: str,
) -> None:
    """Write the Parquet file `corpus`, and the numbers of rows used and omitted to `counts`."""
    expected = {name: tuple(labels) for name, labels in examples.items()}
    table, counted = prepare_corpus(Path(path), sheet=sheet, examples=expected, seed=seed)
    fault = fault_of_examples(table.schema)
    if fault:
        warn("%s Prompted models cannot be run on the dataset.", fault)
    pq.write_table(table, corpus, compression="zstd", row_group_size=TEXTS_AT_ONCE)
    numbers = asdict(counted)
    first = numbers.pop("first_empty")
    if first:
        detail = "; ".join(first)
        warn("%s: rows left out as they have no text: %d (%s).", path, counted.empty, detail)
    if counted.with_html:
        detail = "`clean: html` in the datasets sheet takes them out"
        warn("%s: texts with tags or entities of HTML: %d (%s).", path, counted.with_html, detail)
    write_csv([numbers], Path(counts))
    logging.info("%s", counted)


if __name__ == "__main__":
    run_job(main, snakemake)
