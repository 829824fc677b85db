"""Print what was read from each dataset, and which mutants to expect."""

import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.compute as pc
import pyarrow.parquet as pq
from hinter.corpora import Text, sample_corpus
from hinter.job import run_job
from hinter.mutants import open_making
from hinter.trying import expect_mutants, show_corpus, show_expected

MOST_TEXTS = 200


def main(
    *,
    corpora: list[str],
    counts: list[str],
    pairs: str,
    parser: str,
    about: dict[str, str],
    making: dict[str, Any],
    orders: list[int],
    seed: int,
) -> None:
    """Print what was read from each dataset, and the mutants of some of its tested texts.

    `about` describes the texts of each dataset. `making` has the settings that make mutants.
    """
    made = open_making(Path(pairs), parser=Path(parser), **making)
    for (name, said), corpus, counted in zip(about.items(), corpora, counts, strict=True):
        table = pq.read_table(corpus)
        read = {str(key): int(count) for key, count in pd.read_csv(counted).iloc[0].items()}
        tested = pc.sum(table["tested"]).as_py() or 0
        lines = show_corpus(table, counts=read, tested=tested)
        print(f"{name}: {said}", *lines, sep="\n", file=sys.__stdout__)
        some = sample_corpus(table, size=MOST_TEXTS, seed=seed).to_pylist()
        texts = [Text(row["original_id"], row["text"]) for row in some]
        expected = expect_mutants(texts, making=made, orders=orders, seed=seed)
        shown = show_expected(expected, texts=texts, tested=tested)
        print(*shown, "", sep="\n", file=sys.__stdout__)


if __name__ == "__main__":
    run_job(main, snakemake)
