"""Seconds and peak memory of the oracle over 60 million made-up mutants of a model: one JSON line.

`.venv/bin/python benchmarks/bench_oracle.py`. It is given the memory and the threads of its rule,
and judges in a process of its own. The least that it can take is to read its two files.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from isa import machine
from made_up_large import make_large, mutants_per_original
from made_up_study import TARGETS
from read_times import seconds_to_read

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

MEMORY_MB, THREADS = 2000, 2


def main(*, rows: int) -> None:
    """Print the record."""
    with TemporaryDirectory() as folder:
        # What a process took at most is counted from its start, and making the files takes more.
        for step in ("--make", "--judge"):
            command = [sys.executable, __file__, "--rows", str(rows), step, folder]
            printed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    record = {
        "rows": rows,
        **json.loads(printed),
        "memory_mb": MEMORY_MB,
        "threads": THREADS,
    } | machine()
    print(json.dumps(record))


def judge(folder: Path) -> dict[str, float]:
    """Judge the mutants of the files in `folder`; return seconds and peak memory."""
    from hinter import database
    from hinter.oracle import judge_mutants

    database.DEFAULT = database.Limits(memory_mb=MEMORY_MB, threads=THREADS)
    started = time.perf_counter()
    judge_mutants(
        folder / "suite.parquet",
        folder / "predictions.parquet",
        folder / "verdicts.parquet",
        outcome_statuses=[],
    )
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_SELF)
    reading = seconds_to_read([folder / "suite.parquet", folder / "predictions.parquet"])
    return {
        "seconds": round(seconds, 1),
        "seconds_reading": round(reading, 1),
        "ratio_to_reading": round(seconds / reading, 2),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_rss_mb": round(used.ru_maxrss / 1024),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=60_000_000, help="how many mutants")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.make:
        originals = arguments.rows // mutants_per_original(TARGETS)
        make_large(arguments.make, originals=originals, targets=TARGETS, predicted=True)
    elif arguments.judge:
        print(json.dumps(judge(arguments.judge)))
    else:
        main(rows=arguments.rows)
