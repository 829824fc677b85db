"""The benchmark of load tells what each job took, and its study is one that can be planned."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bench_load import disk_megabytes, write_sheets
from watching import Job, Stage, add_up, run_watched

MEGABYTES = 300
SNAKEFILE = """
rule all:
    input: "large.txt", expand("{number}/small.txt", number=[1, 2])

rule fill_memory:
    output: "large.txt"
    log: "results/logs/fill_memory.log"
    script: "job.py"

rule wait_twice:
    output: "{number}/small.txt"
    log: "results/logs/wait_twice/{number}.log"
    script: "job.py"
"""
# Memory that is freed again before the end counts, and so does the time of a process of its own.
SCRIPT = f"""
import subprocess, sys, time
from pathlib import Path

with Path(snakemake.log[0]).open("w"):
    if snakemake.rule == "fill_memory":
        held = b"x" * ({MEGABYTES} << 20)
        del held
    else:
        used = "import time\\nwhile time.process_time() < 0.5: pass"
        subprocess.run([sys.executable, "-c", used])
    time.sleep(1)
Path(snakemake.output[0]).touch()
"""


@pytest.fixture
def snakemake(tmp_path: Path) -> list[str]:
    """Return the command that runs three jobs of two rules."""
    (tmp_path / "Snakefile").write_text(SNAKEFILE, encoding="utf-8")
    (tmp_path / "job.py").write_text(SCRIPT, encoding="utf-8")
    return [sys.executable, "-m", "snakemake", "--cores", "1"]


@pytest.mark.release
def test_each_job_is_told_with_its_rule_its_time_and_its_peak(
    snakemake: list[str], tmp_path: Path
) -> None:
    stages = add_up(run_watched(snakemake, folder=tmp_path))
    assert {rule: stage.jobs for rule, stage in stages.items()} == {
        "fill_memory": 1,
        "wait_twice": 2,
    }
    assert MEGABYTES < stages["fill_memory"].peak_rss_mb < MEGABYTES + 100
    assert stages["wait_twice"].peak_rss_mb < MEGABYTES
    assert stages["wait_twice"].seconds > 2 * 1.3
    assert stages["wait_twice"].cpu_seconds > 2 * 0.4


@pytest.mark.release
def test_a_study_that_fails_is_an_error(snakemake: list[str], tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("raise SystemExit(3)", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        run_watched(snakemake, folder=tmp_path)


def test_the_jobs_of_a_rule_are_added_up_and_the_dearest_rule_is_first() -> None:
    jobs = [Job("a", 1, 1, 100.4), Job("b", 5, 4, 50), Job("a", 2, 1.5, 300.4)]
    assert list(add_up(jobs).items()) == [("b", Stage(1, 5, 4, 50)), ("a", Stage(2, 3, 2.5, 300))]


def test_disk_space_is_told_by_the_parts_of_a_study(tmp_path: Path) -> None:
    for name in ("results/verdicts/m/d.parquet", "results/config.json", "store/checks/a"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 2_000_000)
    found = disk_megabytes(tmp_path, parts=("results", "store"))
    assert list(found) == ["results/config.json", "results/verdicts", "store/checks"]
    assert all(2.0 <= megabytes < 2.1 for megabytes in found.values())


@pytest.mark.release
@pytest.mark.parametrize("joined", [1, 40])
def test_the_study_of_load_can_be_planned(
    joined: int, root: Path, resources: Path, tmp_path: Path
) -> None:
    write_sheets(tmp_path, texts=5, joined=joined)
    sheet = yaml.safe_load((tmp_path / "load.yaml").read_text(encoding="utf-8"))
    assert Path(sheet["resources"]) == resources
    place = ["--snakefile", str(root / "Snakefile"), "--directory", str(tmp_path)]
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--dry-run", *place]
    planned = subprocess.run(
        [*command, "--configfile", "load.yaml"], cwd=tmp_path, capture_output=True, text=True
    )
    assert planned.returncode == 0, planned.stderr
