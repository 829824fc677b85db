"""What the terminal shows of a run: a line for each job, and why one failed."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
SNAKEFILE = f"""
include: "{ROOT}/workflow/rules/terminal.smk"

rule all:
    input: "made/a.txt", "made/b.txt"

rule make:
    output: temp("made/{{name}}.txt")
    log: "results/logs/make/{{name}}.log"
    shell: "echo INFO begun >{{log}}; COMMAND"
"""
TIMED = re.compile(r"\[\d\d:\d\d:\d\d\] ")


def _written(folder: Path, command: str, *, python: str = sys.executable) -> list[str]:
    """Write the workflow with this command in its jobs and return what runs it."""
    (folder / "Snakefile").write_text(SNAKEFILE.replace("COMMAND", command), encoding="utf-8")
    return [python, "-m", "snakemake", "--cores", "2", "--show-failed-logs"]


def _run(folder: Path, command: str, *arguments: str, forks: dict[str, str]) -> list[str]:
    done = subprocess.run(
        [*_written(folder, command, python=forks["ASK_FORKS"]), *arguments],
        cwd=folder,
        env={**os.environ, **forks},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout.splitlines()


def test_each_job_that_is_done_has_a_line(forks: dict[str, str], tmp_path: Path) -> None:
    told = _run(tmp_path, "touch {output}", forks=forks)
    lines = [TIMED.sub("", line) for line in told if TIMED.match(line)]
    assert sorted(line.partition(": ")[2] for line in lines) == ["all", "make/a", "make/b"]
    assert [line.partition(" done")[0] for line in lines] == ["1 of 3", "2 of 3", "3 of 3"]
    assert len(told) < 8
    (log,) = (tmp_path / ".snakemake" / "log").iterdir()
    assert "    output: made/a.txt" in log.read_text()


@pytest.mark.parametrize("argument", ["--verbose", "--dry-run"])
def test_on_request_it_has_what_snakemake_says(
    argument: str, forks: dict[str, str], tmp_path: Path
) -> None:
    assert "    output: made/a.txt" in _run(tmp_path, "touch {output}", argument, forks=forks)


def test_of_a_failed_job_the_last_error_is_shown_once(
    forks: dict[str, str], tmp_path: Path
) -> None:
    command = "echo ERROR not this >>{log}; echo ERROR nothing found >>{log}; exit 1"
    told = _run(tmp_path, command, "made/a.txt", forks=forks)
    at = told.index("make/a failed (results/logs/make/a.log):")
    assert told[at + 1] == "ERROR nothing found"
    assert not any("begun" in line or "CalledProcessError" in line for line in told)
    assert len(told) < 10


def test_of_a_job_that_says_no_error_all_is_shown(forks: dict[str, str], tmp_path: Path) -> None:
    told = _run(tmp_path, "kill -9 $$", "made/a.txt", forks=forks)
    assert "INFO begun" in told
    assert "Error in rule make:" in told
    assert any("SIGKILL" in line for line in told)


@pytest.mark.parametrize("first", ["all at once", "the jobs first"])
def test_interrupted_jobs_have_a_line_each(first: str, tmp_path: Path) -> None:
    command = _written(tmp_path, "sleep 600")
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        logs = [tmp_path / f"results/logs/make/{name}.log" for name in "ab"]
        while not all(log.is_file() for log in logs):
            assert process.poll() is None
            time.sleep(0.05)
        if first == "all at once":
            os.killpg(process.pid, signal.SIGINT)
        for job in psutil.Process(process.pid).children(recursive=True):
            job.send_signal(signal.SIGINT)
        told = process.communicate()[0].splitlines()
    lines = [line for line in told if line.endswith(": interrupted; run again to continue")]
    assert sorted(line.partition(":")[0] for line in lines) == ["make/a", "make/b"]
    assert len(told) < 10
