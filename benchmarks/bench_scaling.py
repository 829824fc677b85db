"""How stages scale: two jobs, memory, enumeration alone, and order 3: one JSON line.

`.venv/bin/python benchmarks/bench_scaling.py` after `make study`. Jobs are processes of their own
that run the script of the rule on one core, each with an empty store. Two jobs have half of the
inputs each; the speed-up is that of their time to one job's on all.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from corpus import (
    SEED,
    add_texts,
    curated_dictionary,
    invariant,
    parser_folder,
    read_entries,
    read_texts,
    resource_folder,
    valid_mutants,
    write_dictionary,
    write_tested,
)
from hinter.config import Grammar
from hinter.config.method import Invariant
from hinter.corpora import Text
from hinter.invariant import CheckedText, Parser, check_block
from hinter.limits import HeldOut
from hinter.mutants import list_orders
from hinter.mutation import Literal
from inference_models import LABELS, copy_encoder
from isa import machine, parse_arguments

SCRIPTS = Path(__file__).resolve().parents[1] / "workflow" / "scripts"
ORDERS = [1, 2]
SAMPLE = {"orders": [], "size": 10_000, "seed": SEED, "discarded": False}
LITERAL: dict[str, object] = {
    "operator": "literal",
    "occurrences": [],
    "lists": None,
    "words": None,
}
# One text in so many is mutated for models, and for LanguageTool. Of its mutants only some are
# taken: where one text has most of them, two jobs have no halves.
ASKED, SCORED = 30, 8
MUTANTS_OF_EACH = 100
ORDER_3 = 150


class Usage(NamedTuple):
    """Wall time (seconds) of jobs that ran side by side, and the highest peak memory (MB)."""

    seconds: float
    peak_rss_mb: float


class Stage(NamedTuple):
    """A script of a rule, its arguments, and those of its files that are each job's own."""

    script: str
    arguments: Mapping[str, Any]
    own: Sequence[str]

    def run(self, *, jobs: int) -> Usage:
        """Run the stage in so many jobs at once."""
        with TemporaryDirectory() as folder:
            started = time.perf_counter()
            running = [
                self._start(Path(folder), shard=job, shards=jobs) for job in range(1, jobs + 1)
            ]
            peaks = [_peak_of(process) for process in running]
            return Usage(time.perf_counter() - started, max(peaks))

    def _start(self, folder: Path, *, shard: int, shards: int) -> "subprocess.Popen[bytes]":
        own = {name: f"{folder}/{name}-{shard}" for name in self.own}
        arguments = {**self.arguments, **own, "shard": shard, "shards": shards}
        # Libraries and Java take as many threads as there are cores to run on.
        held = f"import os; os.sched_setaffinity(0, {{{shard - 1}}})"
        command = f"{held}; import {self.script}; {self.script}.main(**{arguments!r})"
        return subprocess.Popen(
            [sys.executable, "-c", command], cwd=SCRIPTS, stderr=subprocess.DEVNULL
        )


def main(*, texts: Path | None, count: int) -> None:
    """Print the record."""
    few, many = read_texts(texts, count=count // 10), read_texts(texts, count=count)
    some = read_texts(texts, count=ORDER_3 * count // 1000)
    with _generating(few) as stage:
        small = stage.run(jobs=1)
    with _generating(many) as stage:
        one, two = stage.run(jobs=1), stage.run(jobs=2)
    with _generating(some) as stage:
        order_2 = stage.run(jobs=1)
    with _generating(some, sampled=[3]) as stage:
        order_3 = stage.run(jobs=1)
    with _mutated(read_texts(texts, count=max(2, count // ASKED))) as folder:
        asking = _asking(folder)
        encoder = asking.run(jobs=1).seconds / asking.run(jobs=2).seconds
    with _mutated(read_texts(texts, count=max(2, count // SCORED))) as folder:
        grammar = _speedup_of_grammar(folder)
    record = {
        "texts": len(many),
        "speedup_two_jobs_generation": round(one.seconds / two.seconds, 2),
        "speedup_two_jobs_encoder": round(encoder, 2),
        **grammar,
        "peak_rss_mb_tenth": round(small.peak_rss_mb),
        "peak_rss_mb": round(one.peak_rss_mb),
        "seconds": round(one.seconds, 1),
        **_enumerate(some),
        "order2_seconds": round(order_2.seconds, 1),
        "order3_seconds": round(order_3.seconds, 1),
        "order3_peak_rss_mb": round(order_3.peak_rss_mb),
        "ratio_order3_to_order2": round(order_3.seconds / order_2.seconds, 2),
        **machine(),
    }
    print(json.dumps(record))


@contextmanager
def _generating(texts: Sequence[Text], *, sampled: Sequence[int] = ()) -> Iterator[Stage]:
    """Yield the stage that generates the mutants of `texts`."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_tested(texts, folder / "corpus.parquet")
        write_dictionary(folder / "pairs.csv")
        yield Stage(
            "generate_mutants",
            {
                "corpus": f"{folder}/corpus.parquet",
                "pairs": f"{folder}/pairs.csv",
                "parser": str(parser_folder()),
                "split": "tested",
                "orders": ORDERS,
                "sample": SAMPLE | {"orders": list(sampled)},
                "mutation": [LITERAL],
                "invariant": Invariant().model_dump(),
            },
            ["store", "annotations", "mutants", "counts", "sampled", "occurrences"],
        )


@contextmanager
def _mutated(texts: Sequence[Text]) -> Iterator[Path]:
    """Yield a folder with the files of `texts` and their valid mutants."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows, _ = valid_mutants(texts)
        write_tested(texts, folder / "corpus.parquet")
        write_dictionary(folder / "pairs.csv")
        ids = rows["original_id"].to_pandas()
        firsts = np.flatnonzero(ids.groupby(ids).cumcount() < MUTANTS_OF_EACH)
        pq.write_table(rows.take(firsts), folder / "suite.parquet")
        yield folder


def _asking(folder: Path) -> Stage:
    """Return the stage that runs the encoder."""
    copy_encoder(folder / "encoder")
    files = {name: f"{folder}/{name}.parquet" for name in ("corpus", "suite")}
    return Stage(
        "predict_suite",
        {
            **files,
            "pairs": f"{folder}/pairs.csv",
            "model": f"{folder}/encoder",
            "sheet": read_entries("models")["minilm"] | {"threads": 1},
            "task": {"labels": LABELS, "multi_label": False},
            "held_out": HeldOut(None, seed=SEED)._asdict(),
            "seed": SEED,
        },
        ["store", "predictions"],
    )


def _speedup_of_grammar(folder: Path) -> dict[str, float]:
    """Return how many times as fast two jobs score grammar as one, and the same beyond the start.

    The start is the time of a job that scores a single mutant.
    """
    suite = pq.read_table(folder / "suite.parquet")
    pq.write_table(suite.slice(0, 1), folder / "single.parquet")
    start = _scoring(folder, sample="single").run(jobs=1).seconds
    scoring = _scoring(folder, sample="suite")
    one, two = scoring.run(jobs=1).seconds, scoring.run(jobs=2).seconds
    return {
        "grammar_mutants": suite.num_rows,
        "grammar_start_seconds": round(start, 1),
        "grammar_seconds": round(one, 1),
        "speedup_two_jobs_grammar": round(one / two, 2),
        "speedup_two_jobs_grammar_beyond_start": round((one - start) / (two - start), 2),
    }


def _scoring(folder: Path, *, sample: str) -> Stage:
    """Return the stage that scores grammar, with a LanguageTool in each job."""
    return Stage(
        "score_grammar",
        {
            "corpus": f"{folder}/corpus.parquet",
            "sample": f"{folder}/{sample}.parquet",
            "pairs": f"{folder}/pairs.csv",
            "server": None,
            "languagetool": str(resource_folder("languagetool")),
            **Grammar().model_dump(include={"categories", "left_out"}),
        },
        ["store", "scores"],
    )


def _peak_of(process: "subprocess.Popen[bytes]") -> float:
    """Wait for the process and return its peak memory in MB."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return usage.ru_maxrss / 1024


def _enumerate(texts: Sequence[Text]) -> dict[str, Any]:
    """Return how fast mutants of orders 1 to 3 are listed once sentences are checked.

    The ratio is to the least that it can take: copying the bytes of the rows from memory to memory.
    """
    index, orders = curated_dictionary(), [1, 2, 3]
    with TemporaryDirectory() as store:
        check = invariant(Parser(parser_folder()), store=Path(store))
        checked: list[CheckedText] = list(
            check_block(texts, operating=Literal(index), orders=orders, invariant=check)
        )
    started = time.perf_counter()
    rows = list_orders(checked, orders=orders, index=index)
    seconds = time.perf_counter() - started
    source = np.ones(rows.nbytes, dtype=np.uint8)
    target = source.copy()
    started = time.perf_counter()
    np.copyto(target, source)
    copying = time.perf_counter() - started
    return {
        "enumerated_per_s": round(rows.num_rows / seconds),
        "enumerated_bytes_per_row": round(rows.nbytes / rows.num_rows, 1),
        "ratio_listing_to_copying": round(seconds / copying, 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_texts(parser)
    parser.add_argument("--count", type=int, default=600, help="texts, at equal distances")
    main(**parse_arguments(parser))
