"""Sample the texts on which the ablation is run."""

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.corpora import TEXTS_AT_ONCE, sample_corpus
from hinter.job import run_job


def main(*, corpus: str, originals: int, seed: int, sampled: str) -> None:
    """Write at most `originals` tested texts of the Parquet `corpus` to the Parquet `sampled`."""
    rows: pa.Table = sample_corpus(pq.read_table(corpus), size=originals, seed=seed)
    pq.write_table(rows, sampled, compression="zstd", row_group_size=TEXTS_AT_ONCE)


if __name__ == "__main__":
    run_job(main, snakemake)
