"""Time the stages of a finished study: one JSON line from Snakemake's own benchmark files.

Run after `make study`: `.venv/bin/python benchmarks/bench_stages.py`. With `--run` the study is
run first, from nothing but the fetched resources, and its whole time is measured as well.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
from isa import machine, parse_arguments

ROOT = Path(__file__).resolve().parents[1]


def main(*, run: bool, cores: int) -> None:
    """Print seconds and peak memory (MB) per stage, and the whole study's seconds if it is run."""
    record: dict[str, object] = {"cores": cores, **machine()}
    if run:
        record["study_seconds"] = round(_run_study(cores), 1)
    stages = {}
    for path in sorted((ROOT / "results" / "benchmarks").rglob("*.tsv")):
        row = pd.read_csv(path, sep="\t").iloc[0]
        name = "/".join(path.relative_to(ROOT / "results" / "benchmarks").with_suffix("").parts)
        stages[name] = {"seconds": round(row["s"], 1), "peak_rss_mb": round(row["max_rss"])}
    record["stages"] = stages
    record["peak_rss_mb"] = max(stage["peak_rss_mb"] for stage in stages.values())
    print(json.dumps(record))


def _run_study(cores: int) -> float:
    for part in ("results", "figures"):
        shutil.rmtree(ROOT / part, ignore_errors=True)
    for page in ("report.html", "provenance.html", "ro-crate-metadata.json"):
        (ROOT / page).unlink(missing_ok=True)
    started = time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", str(cores)],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.monotonic() - started


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", action="store_true", help="run the study first")
    parser.add_argument("--cores", type=int, default=2, help="cores for the study")
    main(**parse_arguments(parser))
