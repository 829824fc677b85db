"""How generation scales: two jobs, memory, enumeration alone, and order 3: one JSON line.

`.venv/bin/python benchmarks/bench_scaling.py --texts FILE`, a Parquet file with the columns
original_id and text. Jobs are processes of their own that run the script of the rule, each with an
empty store.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from corpus import (
    curated_dictionary,
    invariant,
    parser_folder,
    read_texts,
    write_dictionary,
    write_tested,
)
from hinter.corpora import Text
from hinter.invariant import CheckedText, Parser, check_block
from hinter.mutants import list_orders
from hinter.mutation import DictionaryIndex
from isa import machine, parse_arguments

SCRIPTS = Path(__file__).resolve().parents[1] / "workflow" / "scripts"
INVARIANT = {
    "comparator": "tolerant",
    "max_sentence_chars": None,
    "tags": "penn",
    "capitals": "kept",
    "tail": "checked",
    "parser": {"batch_size": 128, "device": "cpu"},
}
SAMPLE = {"orders": [], "size": 10_000, "seed": 1, "discarded": False}
FEW, MANY = 100, 1000


class Usage(NamedTuple):
    """Wall time (seconds) of jobs that ran side by side, and the highest peak memory (MB)."""

    seconds: float
    peak_rss_mb: float


def main(*, texts: Path) -> None:
    """Print the record."""
    index = curated_dictionary()
    parser = Parser(parser_folder())
    some = read_texts(texts, count=150)
    few = _generate(read_texts(texts, count=FEW), jobs=1)
    one = _generate(read_texts(texts, count=MANY), jobs=1)
    two = _generate(read_texts(texts, count=MANY), jobs=2)
    order_2 = _generate(some, jobs=1)
    order_3 = _generate(some, jobs=1, sampled=[3])
    enumerated = _enumerate(some, index=index, parser=parser)
    record = {
        "texts": len(read_texts(texts, count=MANY)),
        "speedup_two_jobs": round(one.seconds / two.seconds, 2),
        f"peak_rss_mb_{FEW}": round(few.peak_rss_mb),
        f"peak_rss_mb_{MANY}": round(one.peak_rss_mb),
        f"seconds_{MANY}": round(one.seconds, 1),
        "enumerated_per_s": round(enumerated),
        "order2_seconds": round(order_2.seconds, 1),
        "order3_seconds": round(order_3.seconds, 1),
        "order3_peak_rss_mb": round(order_3.peak_rss_mb),
        "order3_seconds_over_order2": round(order_3.seconds / order_2.seconds, 2),
        **machine(),
    }
    print(json.dumps(record))


def _generate(texts: Sequence[Text], *, jobs: int, sampled: Sequence[int] = ()) -> Usage:
    """Generate the mutants of `texts` in `jobs` processes at once."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_tested(texts, folder / "corpus.parquet")
        write_dictionary(folder / "pairs.csv")
        started = time.perf_counter()
        running = [
            _start(folder, shard=shard, shards=jobs, sampled=sampled)
            for shard in range(1, jobs + 1)
        ]
        peaks = [_peak_of(process) for process in running]
        return Usage(time.perf_counter() - started, max(peaks))


def _start(
    folder: Path, *, shard: int, shards: int, sampled: Sequence[int]
) -> "subprocess.Popen[bytes]":
    arguments: dict[str, Any] = {
        "corpus": f"{folder}/corpus.parquet",
        "pairs": f"{folder}/pairs.csv",
        "parser": str(parser_folder()),
        "shard": shard,
        "shards": shards,
        "orders": [1, 2],
        "sample": SAMPLE | {"orders": list(sampled)},
        "invariant": INVARIANT,
        "store": f"{folder}/store-{shard}",
        "mutants": f"{folder}/mutants-{shard}.parquet",
        "counts": f"{folder}/counts-{shard}.parquet",
        "sampled": f"{folder}/sampled-{shard}.parquet",
    }
    command = f"import generate_mutants; generate_mutants.main(**{arguments!r})"
    return subprocess.Popen([sys.executable, "-c", command], cwd=SCRIPTS, stderr=subprocess.DEVNULL)


def _peak_of(process: "subprocess.Popen[bytes]") -> float:
    """Wait for the process and return its peak memory in MB."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return usage.ru_maxrss / 1024


def _enumerate(texts: Sequence[Text], *, index: DictionaryIndex, parser: Parser) -> float:
    """Return how many mutants of orders 1 to 3 are listed per second once sentences are checked."""
    with TemporaryDirectory() as store:
        check = invariant(parser, store=Path(store))
        checked: list[CheckedText] = list(
            check_block(texts, index=index, orders=[1, 2, 3], invariant=check)
        )
    started = time.perf_counter()
    rows: int = list_orders(checked, orders=[1, 2, 3], index=index).num_rows
    return rows / (time.perf_counter() - started)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, required=True, help="corpus file (original_id, text)")
    main(**parse_arguments(parser))
