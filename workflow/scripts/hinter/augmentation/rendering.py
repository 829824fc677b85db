"""Make the added texts from their recipes, for training in or outside this workflow."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ..corpora import Text, read_split
from ..mutation import Mutant

EXPORTED = ("mutant_id", "original_id", "labels", "pair_ids", "edits")
"""The columns of a recipe that are exported with its texts."""


def added_texts(recipes: Path, *, corpus: Path) -> list[Text]:
    """Return the texts that the Parquet `recipes` make from training texts, with their labels."""
    return [
        Text(row["mutant_id"], text, tuple(row["labels"]))
        for row, _, text in _rendered(recipes, corpus=corpus)
    ]


def export_texts(recipes: Path, lines: Path, *, corpus: Path) -> None:
    """Write the Parquet `recipes` to JSON `lines`, with the `original` and the `text` of each."""
    with lines.open("w", encoding="utf-8", newline="\n") as file:
        for row, original, text in _rendered(recipes, corpus=corpus):
            record = {name: row[name] for name in EXPORTED} | {"original": original, "text": text}
            file.write(f"{json.dumps(record, ensure_ascii=False)}\n")


def _rendered(recipes: Path, *, corpus: Path) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield each recipe with its original and the text that it makes from this."""
    originals = {text.original_id: text.text for text in read_split(corpus, split="training")}
    for row in pq.read_table(recipes).to_pylist():
        original = originals[row["original_id"]]
        yield row, original, Mutant.of_row(row, original).text
