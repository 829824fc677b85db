"""Rule files read common.smk and inputs.smk alone: in whatever order, the jobs are the same.

Only the ablation comes after the rules that it uses once more.
"""

import re
from pathlib import Path

from runs import checkout, snakemake

FIXED = ("terminal.smk", "common.smk", "inputs.smk", "ablation.smk")


def _jobs(folder: Path, forks: dict[str, str]) -> set[str]:
    """Return the lines of the table of jobs: a rule, and how many jobs it has."""
    printed = snakemake(folder, "--dry-run", environment=forks)
    return set(re.findall(r"^\w+ +\d+$", printed, flags=re.MULTILINE))


def test_the_order_of_rule_files_changes_no_job(
    root: Path, resources: Path, small: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    folder = checkout(tmp_path / "study", root=root, resources=resources, config=small)
    expected = _jobs(folder, forks)
    assert len(expected) > 25
    lines = (folder / "workflow" / "Snakefile").read_text().splitlines()
    places = [
        place
        for place, line in enumerate(lines)
        if line.startswith("include:") and not any(name in line for name in FIXED)
    ]
    for place, line in zip(places, [lines[place] for place in reversed(places)], strict=True):
        lines[place] = line
    (folder / "workflow" / "Snakefile").write_text("\n".join(lines))
    assert _jobs(folder, forks) == expected
