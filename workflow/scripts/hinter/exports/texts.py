"""The texts of recipes: with an export where they may be passed on, and rebuilt where not."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from ..corpora import TEXTS_AT_ONCE
from ..dictionary import WordPair
from ..mutation import place_pairs, render


def text_of(row: Mapping[str, Any], original: str, *, pairs: Mapping[str, WordPair]) -> str:
    """Return the text of a recipe; that of one without pairs is the `original` itself.

    `row` has the columns pair_ids and places; `pairs` are given by pair_id.
    """
    of_row = [pairs[pair_id] for pair_id in row["pair_ids"]]
    return render(original, chain.from_iterable(place_pairs(original, of_row, row["places"])))


def rebuilt_texts(export: Path, *, corpora: Path) -> Iterator[tuple[str, str, str]]:
    """Yield dataset, input_id and text of all recipes in the folder of an exported dataset.

    `corpora` is a folder with the corpora that a study prepares, `{dataset}.parquet`.
    """
    rows = pq.read_table(export / "pairs").to_pylist()
    pairs = {row["pair_id"]: WordPair(**row) for row in rows}
    for path in sorted((export / "suite").glob("*.parquet")):
        corpus = pq.read_table(corpora / path.name, columns=["original_id", "text"])
        texts = dict(zip(*corpus.to_pydict().values(), strict=True))
        for batch in pq.ParquetFile(path).iter_batches(TEXTS_AT_ONCE):
            for row in batch.to_pylist():
                text = text_of(row, texts[row["original_id"]], pairs=pairs)
                yield path.stem, row["input_id"], text
