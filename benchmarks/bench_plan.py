"""Seconds and peak memory of the plan of a paid model on a made-up dataset: one JSON line.

`.venv/bin/python benchmarks/bench_plan.py`, where the tokenizer is in `resources/cl100k_base`. The
dataset has the size of ECtHR: 11,000 texts of 18,000 characters and 60 million mutants. It is given
the memory and the threads of its rule, and plans in a process of its own.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
from isa import machine
from made_up_large import make_large, mutants_per_original
from made_up_study import TEXT

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

from hinter import database
from hinter.corpora import CORPUS_SCHEMA, TEXTS_AT_ONCE
from hinter.limits import HeldOut
from hinter.models import ParsedAnswer, Prices, Status
from hinter.models.endpoint.client import Endpoint
from hinter.models.endpoint.settings import EndpointSettings
from hinter.models.endpoint.token_counters import open_token_counter
from hinter.predictions import PlannedRun, show_plan, show_total, write_plan
from hinter.responses import ResponseStore

ORIGINALS, CHARACTERS, HELD_OUT = 11_000, 18_000, 1_000
TARGETS = 42
"""Pairs per attribute and original, for 5,545 mutants and controls of each."""
MEMORY_MB, THREADS = 2000, 2
TOKENIZER = Path(__file__).resolve().parents[1] / "resources" / "cl100k_base"
WORDS = (
    "appeal applicant body by case court gender government had hearing his in of on race the was"
)


def main(*, originals: int) -> None:
    """Print the record."""
    rows = originals * mutants_per_original(TARGETS)
    with TemporaryDirectory() as folder:
        # What a process took at most is counted from its start, and making the files takes more.
        for step in ("--make", "--plan"):
            command = [sys.executable, __file__, "--originals", str(originals), step, folder]
            printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    record = {
        "rows": rows,
        **json.loads(printed),
        "memory_mb": MEMORY_MB,
        "threads": THREADS,
    } | machine()
    print(json.dumps(record))


def make(folder: Path, *, originals: int) -> None:
    """Write the files of the dataset."""
    make_large(folder, originals=originals, targets=TARGETS, predicted=False)
    with pq.ParquetWriter(folder / "corpus.parquet", CORPUS_SCHEMA) as writer:
        for first in range(0, originals + HELD_OUT, TEXTS_AT_ONCE):
            past = min(originals + HELD_OUT, first + TEXTS_AT_ONCE)
            rows = [_text(number, held_out=number >= originals) for number in range(first, past)]
            writer.write_table(pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA))


def _text(number: int, *, held_out: bool) -> dict[str, object]:
    words = random.Random(number).choices(WORDS.split(), k=CHARACTERS // 4)
    text = f"{TEXT} {' '.join(words)}"
    return {
        "original_id": f"{number:016x}",
        "split": "held_out" if held_out else "tested",
        "tested": not held_out,
        "text": text[:CHARACTERS],
        "labels": [],
    }


class _NoParser:
    def read(self, answer: str, *, cut: bool) -> ParsedAnswer:
        return ParsedAnswer(Status.UNPARSED, answer=answer)


def plan(folder: Path) -> dict[str, object]:
    """Plan a model on the dataset in `folder`; return seconds, peak memory and what is told."""
    database.DEFAULT = database.Limits(memory_mb=MEMORY_MB, threads=THREADS)
    endpoint = Endpoint(
        EndpointSettings("http://127.0.0.1:9/v1", "m", context_tokens=16_385),
        messages=lambda text: [{"role": "user", "content": text}],
        parser=_NoParser(),
        counter=open_token_counter(TOKENIZER),
    )
    run = PlannedRun(
        "m", "d", *(folder / f"{name}.parquet" for name in ("plan", "corpus", "suite"))
    )
    started = time.perf_counter()
    write_plan(
        endpoint,
        corpus=run.corpus,
        suite=run.suite,
        held_out=HeldOut(None, seed=0),
        discarded=False,
        store=ResponseStore(folder / "store", fingerprint=endpoint.fingerprint),
        repeats=3,
        case_answers=100,
        prices=Prices(input_per_million=0.5, output_per_million=1.5),
        seed=1,
        plan=run.plan,
    )
    planned = time.perf_counter()
    print(show_plan([run]), file=sys.stderr)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "seconds": round(time.perf_counter() - started, 1),
        "seconds_to_show": round(time.perf_counter() - planned, 1),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_rss_mb": round(used.ru_maxrss / 1024),
        "total": show_total([run], spent=0),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--originals", type=int, default=ORIGINALS, help="how many texts")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--plan", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.make, originals=arguments.originals)
    elif arguments.plan:
        print(json.dumps(plan(arguments.plan)))
    else:
        main(originals=arguments.originals)
