"""Seconds until Snakemake has planned a study, in a folder without results: one JSON line.

`.venv/bin/python benchmarks/bench_start.py`. Each study is planned twice; the better time counts.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from isa import machine

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("CITATION.cff", "Snakefile", "config", "data", "envs", "profiles", "workflow")
STUDIES = {"default": "config", "paper": "paper"}


def main() -> None:
    """Print the record."""
    record: dict[str, float] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, folder / part)
        for study, config in STUDIES.items():
            planned = [_plan(folder, config=config) for _ in range(2)]
            record[f"{study}_seconds"] = round(min(seconds for _, seconds in planned), 2)
            record[f"{study}_jobs"] = planned[0][0]
    print(json.dumps({**record, **machine()}))


def _plan(folder: Path, *, config: str) -> tuple[int, float]:
    """Return how many jobs a study has, and how long it took to know."""
    started = time.perf_counter()
    told = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "--configfile", f"config/{config}.yaml"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    seconds = time.perf_counter() - started
    total = re.findall(r"^total +(\d+)$", told, flags=re.MULTILINE)[0]
    return int(total), seconds


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
