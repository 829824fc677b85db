"""Seconds until Snakemake has planned a study, in a folder without results: one JSON line.

`.venv/bin/python benchmarks/bench_start.py`. Each study is planned twice; the better time counts.
The ratio is that of the default study's plan to a plan of nothing at all.
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
from typing import NamedTuple

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
        (folder / "nothing.smk").write_text("rule all:\n")
        nothing = _plan(folder, "--snakefile", "nothing.smk")
        for study, config in STUDIES.items():
            planned = _plan(folder, "--configfile", f"config/{config}.yaml")
            record[f"{study}_seconds"] = round(planned.seconds, 2)
            record[f"{study}_jobs"] = int(
                re.findall(r"^total +(\d+)$", planned.output, re.MULTILINE)[0]
            )
            record[f"ratio_{study}_to_nothing"] = round(planned.seconds / nothing.seconds, 2)
    print(json.dumps({**record, **machine()}))


class Plan(NamedTuple):
    """What Snakemake tells of a plan, and the better of two times that it took (seconds)."""

    output: str
    seconds: float


def _plan(folder: Path, *arguments: str) -> Plan:
    seconds = []
    for _ in range(2):
        started = time.perf_counter()
        output = subprocess.run(
            [sys.executable, "-m", "snakemake", "-n", *arguments],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        seconds.append(time.perf_counter() - started)
    return Plan(output, min(seconds))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
