"""Seconds and peak memory of the oracle over 5 million made-up mutants of one model: one JSON line.

`.venv/bin/python benchmarks/bench_oracle.py`. It is given the memory and the threads of its rule,
and judges in a process of its own.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from made_up_study import MUTANTS_PER_ORIGINAL, make_dataset

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

MEMORY_MB, THREADS = 2000, 2


def main(*, rows: int) -> None:
    """Print the record."""
    with TemporaryDirectory() as folder:
        # What a process took at most is counted from its start, and making the files takes more.
        for step in ("--make", "--judge"):
            command = [sys.executable, __file__, "--rows", str(rows), step, folder]
            told = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    record = {"rows": rows, **json.loads(told), "memory_mb": MEMORY_MB, "threads": THREADS}
    print(json.dumps(record))


def judge(folder: Path) -> dict[str, float]:
    """Judge the mutants of the files in `folder`; return seconds and peak memory."""
    from hinter.database import limit_queries
    from hinter.oracle import judge_mutants

    limit_queries(memory_mb=MEMORY_MB, threads=THREADS)
    started = time.perf_counter()
    judge_mutants(
        folder / "suites" / "d.parquet",
        folder / "predictions" / "m" / "d.parquet",
        folder / "judged_again.parquet",
        outcome_statuses=[],
    )
    seconds = round(time.perf_counter() - started, 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "peak_rss_mb": round(peak / 1024)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000, help="how many mutants")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        originals = given.rows // MUTANTS_PER_ORIGINAL
        make_dataset(given.make, dataset="d", models=["m"], originals=originals)
    elif given.judge:
        print(json.dumps(judge(given.judge)))
    else:
        main(rows=given.rows)
