"""Measure generation on a sample of one domain and extrapolate to a whole dataset: one JSON line.

`.venv/bin/python benchmarks/bench_domain.py --population 50000`. Counts per text are taken to hold
for the population.
"""

import argparse
import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from corpus import add_texts, curated_dictionary, invariant, parser_folder, read_texts
from generate_mutants import CHARACTERS_AT_ONCE
from hinter.corpora import blocks_of
from hinter.invariant import Parser, Reason, check_block, split_sentences
from hinter.mutants import list_orders
from hinter.mutation import Literal
from isa import machine, parse_arguments

ORDERS = [1, 2, 3]


def main(*, texts: Path | None, count: int, population: int, cores: int) -> None:
    """Print the record; order 3 is counted, orders 1 and 2 are listed."""
    index = curated_dictionary()
    parser = Parser(parser_folder())
    sample = read_texts(texts, count=count)
    mutants = np.zeros((max(ORDERS) + 1, len(Reason)), dtype=np.int64)
    with TemporaryDirectory() as store:
        check = invariant(parser, store=Path(store))
        started = time.perf_counter()
        for block in blocks_of(sample, characters=CHARACTERS_AT_ONCE):
            checked = list(
                check_block(block, operating=Literal(index), orders=ORDERS, invariant=check)
            )
            list_orders(checked, orders=[1, 2], index=index)
            for checks in (checks for text in checked for checks in text.checks):
                mutants[len(checks.shape)] += checks.counts()
        seconds = time.perf_counter() - started
        changed = sum(len(check.store.entry(text.text)) for text in sample)
    sentences = sum(len(split_sentences(text.text)) for text in sample)
    scale = population / len(sample)
    record = {
        "texts": len(sample),
        "characters_per_text": round(sum(len(text.text) for text in sample) / len(sample)),
        "sentences": sentences,
        "distinct_mutated_sentences": changed,
        "seconds": round(seconds, 1),
        "sentences_per_second": round(changed / seconds),
        "population": population,
        **{
            f"population_mutants_order_{order}": round(int(mutants[order].sum()) * scale)
            for order in ORDERS
        },
        **{
            f"valid_share_order_{order}": round(
                float(mutants[order][Reason.VALID] / max(1, mutants[order].sum())), 4
            )
            for order in ORDERS
        },
        "population_sentences": round(sentences * scale),
        "population_distinct_mutated_sentences": round(changed * scale),
        "population_hours": round(seconds * scale / 3600 / cores, 3),
        "population_cores": cores,
        **machine(),
    }
    print(json.dumps(record))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_texts(parser)
    parser.add_argument("--count", type=int, default=150, help="texts, at equal distances")
    parser.add_argument("--population", type=int, required=True, help="texts of the whole dataset")
    parser.add_argument("--cores", type=int, default=32, help="cores of the extrapolated run")
    main(**parse_arguments(parser))
