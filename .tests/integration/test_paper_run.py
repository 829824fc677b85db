"""The paper's study, planned: its run book tells how many jobs it has."""

import re
import subprocess
import sys
from pathlib import Path

from runs import copy_project


def test_the_jobs_of_the_run_book_are_planned_without_any_resource(
    root: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    copy_project(folder, root=root)
    told = subprocess.run(
        [sys.executable, "-m", "snakemake", "--dry-run", "--configfile", "config/paper.yaml"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    counts = dict(re.findall(r"^(\w+) +(\d+)$", told, flags=re.MULTILINE))
    book = (root / "docs" / "paper_run.md").read_text(encoding="utf-8")
    assert f"\n{counts['total']} jobs in all" in book
    for rule in ("fetch_resource", "generate_mutants", "fine_tune_encoder", "predict_suite"):
        assert f"| `{rule}` | {counts[rule]} |" in book
