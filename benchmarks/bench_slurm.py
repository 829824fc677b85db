"""Time four shards of mutants sent through a Slurm against the same without it: one JSON line.

`.venv/bin/python benchmarks/bench_slurm.py`, where a Slurm of one node can be started (see
`.tests/slurm`). It has as many cores as the machine. Corpus and dictionary are made before; each
side has an empty store of its own. Snakemake asks Slurm ever more rarely while no job ends, so the
time until the last shard is done, which has less of this waiting in it, is told as well.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from corpus import ROOT, parser_folder, resource_folder
from isa import machine

sys.path.insert(0, str(ROOT / ".tests"))
from slurm.one_node import obstacle, running_slurm

PARTS = ("CITATION.cff", "Snakefile", "config", "data", "envs", "profiles", "workflow")
SHARDS = 4
BEFORE = ["results/corpora/imdb.parquet", "results/dictionary/pairs.csv"]
MUTANTS = "results/mutants/imdb.parquet"
SLURM = ["--profile", "profiles/slurm"]


class Seconds(NamedTuple):
    """How long a run took as a whole, and until its last shard was done."""

    whole: float
    shards: float


def main(*, count: int, max_chars: int) -> None:
    """Print the record."""
    if (why := obstacle()) is not None:
        sys.exit(why)
    cores = os.cpu_count() or 1
    with TemporaryDirectory() as name:
        folders = [
            _prepared(Path(name) / side, count=count, max_chars=max_chars)
            for side in ("local", "slurm")
        ]
        local = _run_timed(folders[0], ["--cores", str(cores)])
        with running_slurm(cpus=cores):
            sent = _run_timed(folders[1], SLURM)
        alike = len({(folder / MUTANTS).read_bytes() for folder in folders}) == 1
    record = {
        "texts": count,
        "max_chars": max_chars,
        "shards": SHARDS,
        "seconds": round(local.whole, 1),
        "slurm_seconds": round(sent.whole, 1),
        "ratio_slurm_to_local": round(sent.whole / local.whole, 2),
        "shards_seconds": round(local.shards, 1),
        "slurm_shards_seconds": round(sent.shards, 1),
        "ratio_slurm_to_local_shards": round(sent.shards / local.shards, 2),
        "mutants_equal": alike,
    }
    print(json.dumps(record | machine()))


def _prepared(folder: Path, *, count: int, max_chars: int) -> Path:
    """Return a folder of the workflow with the corpus and the dictionary."""
    folder.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    sheet = folder / "config" / "datasets.yaml"
    text = sheet.read_text().replace("tested: 3600", f"tested: {count}")
    sheet.write_text(text.replace("max_chars: 800", f"max_chars: {max_chars}"))
    _run(folder, ["--cores", "1", *BEFORE])
    return folder


def _run_timed(folder: Path, how: Sequence[str]) -> Seconds:
    started = time.time()
    _run(folder, [*how, MUTANTS])
    ended = time.time()
    # Written when a job is done.
    benchmark_files = (folder / "results" / "benchmarks" / "generate_mutants").rglob("*.tsv")
    return Seconds(ended - started, max(path.stat().st_mtime for path in benchmark_files) - started)


def _run(folder: Path, arguments: Sequence[str]) -> None:
    resources = parser_folder().parent
    assert resource_folder("imdb_reviews").parent == resources
    command = [sys.executable, "-m", "snakemake", *arguments]
    settings = ["--config", f"resources={resources}", f"shards={SHARDS}"]
    subprocess.run([*command, *settings], cwd=folder, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3600, help="texts")
    parser.add_argument("--max-chars", type=int, default=800, help="characters of the longest text")
    main(**vars(parser.parse_args()))
