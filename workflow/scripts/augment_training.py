"""Sample the texts that are added to the training split of a model."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hinter.augmentation import export_texts, sample_augmentation
from hinter.job import run_job


def main(*, corpus: str, mutants: list[str], recipes: str, lines: str, **settings: Any) -> None:
    """Write the sampled recipes to the Parquet `recipes`, and with their texts to JSON `lines`.

    The `settings` are arguments of `sample_augmentation`.
    """
    sampled = sample_augmentation([*map(Path, mutants)], corpus=Path(corpus), **settings)
    pq.write_table(sampled, recipes, compression="zstd")
    export_texts(Path(recipes), Path(lines), corpus=Path(corpus))


if __name__ == "__main__":
    run_job(main, snakemake)
