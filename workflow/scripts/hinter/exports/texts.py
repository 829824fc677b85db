"""The texts of recipes: with an export where they may be passed on, and rebuilt where not."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

from ..corpora import TEXTS_AT_ONCE
from ..mutation import Mutant


def rebuilt_texts(export: Path, *, corpora: Path) -> Iterator[tuple[str, str, str]]:
    """Yield dataset, input_id and text of all recipes in the folder of an exported dataset.

    `corpora` is a folder with the corpora that a study prepares, `{dataset}.parquet`.
    """
    for path in sorted((export / "suite").glob("*.parquet")):
        corpus = pq.read_table(corpora / path.name, columns=["original_id", "text"])
        texts = dict(zip(*corpus.to_pydict().values(), strict=True))
        for batch in pq.ParquetFile(path).iter_batches(TEXTS_AT_ONCE):
            for row in batch.to_pylist():
                mutant = Mutant.of_row(row, texts[row["original_id"]])
                yield path.stem, row["input_id"], mutant.text
