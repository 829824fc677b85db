"""Sample the texts on which the ablation is run."""

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.corpora import TEXTS_AT_ONCE, draw_texts
from hinter.job import logged_to


def main(*, corpus: str, originals: int, seed: int, drawn: str) -> None:
    """Write at most `originals` tested texts of the Parquet `corpus` to the Parquet `drawn`."""
    rows: pa.Table = draw_texts(pq.read_table(corpus), size=originals, seed=seed)
    pq.write_table(rows, drawn, compression="zstd", row_group_size=TEXTS_AT_ONCE)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
