"""Draw the texts that a model is fine-tuned on beside those of the training split."""

from pathlib import Path

import pyarrow.parquet as pq
from hinter.augmentation import draw_augmentation, export_texts
from hinter.database import limit_queries
from hinter.job import logged_to


def main(
    *,
    corpus: str,
    mutants: list[str],
    texts: str,
    per_original: int,
    attributes: list[str],
    seed: int,
    recipes: str,
    lines: str,
) -> None:
    """Write the drawn recipes to the Parquet `recipes`, and with their texts to JSON `lines`."""
    drawn = draw_augmentation(
        [Path(path) for path in mutants],
        corpus=Path(corpus),
        texts=texts,
        per_original=per_original,
        attributes=attributes,
        seed=seed,
    )
    pq.write_table(drawn, recipes, compression="zstd")
    export_texts(Path(recipes), Path(lines), corpus=Path(corpus))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
