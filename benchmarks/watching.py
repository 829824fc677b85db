"""Time and memory of the jobs of a Snakemake run, asked from the system while they run.

Snakemake's own benchmark files have the jobs of some rules only, and look at long ones every 30
seconds, so they miss peaks. Linux itself keeps the peak of each process.
"""

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import psutil

EVERY_S = 0.2
LOGS = "/results/logs/"


class Job(NamedTuple):
    """A job: its rule, wall and processor time (seconds), and peak resident memory (MB)."""

    rule: str
    seconds: float
    cpu_seconds: float
    peak_rss_mb: float


class Stage(NamedTuple):
    """The jobs of a rule: their number and summed times (seconds), and the highest peak (MB)."""

    jobs: int
    seconds: float
    cpu_seconds: float
    peak_rss_mb: int


def run_watched(command: Sequence[str], *, folder: Path) -> list[Job]:
    """Run a command that starts Snakemake in a folder, and return its jobs as they were last seen.

    A job of less than `EVERY_S` seconds may be missed. Raises `CalledProcessError` where the
    command fails.
    """
    jobs: dict[psutil.Process, Job] = {}
    process = subprocess.Popen(command, cwd=folder, stdout=sys.stderr)
    try:
        while process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                _look(psutil.Process(process.pid), jobs)
            time.sleep(EVERY_S)
    finally:
        process.terminate()
        process.wait()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return list(jobs.values())


def add_up(jobs: Iterable[Job]) -> dict[str, Stage]:
    """Return the stages of a run by their rules, those that took most of the processor first."""
    stages = {
        rule: _stage(list(of_rule))
        for rule, of_rule in groupby(sorted(jobs), key=lambda job: job.rule)
    }
    return dict(sorted(stages.items(), key=lambda item: -item[1].cpu_seconds))


def _look(snakemake: psutil.Process, jobs: dict[psutil.Process, Job]) -> None:
    """Note what the jobs that are running now have used."""
    for script in snakemake.children(recursive=True):
        # Any of them may end meanwhile.
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied, FileNotFoundError):
            if job := _seen(script, before=jobs.get(script)):
                jobs[script] = job


def _stage(jobs: Sequence[Job]) -> Stage:
    return Stage(
        jobs=len(jobs),
        seconds=round(sum(job.seconds for job in jobs), 1),
        cpu_seconds=round(sum(job.cpu_seconds for job in jobs), 1),
        peak_rss_mb=round(max(job.peak_rss_mb for job in jobs)),
    )


def _seen(script: psutil.Process, *, before: Job | None) -> Job | None:
    """Return what a process has used, with its children, if it runs the script of a rule."""
    rule = before.rule if before else _rule_of(script)
    if rule is None:
        return None
    running = [_usage(process) for process in [script, *script.children(recursive=True)]]
    cpu, peak = (sum(used) for used in zip(*running, strict=True))
    ended = script.cpu_times()
    cpu += ended.children_user + ended.children_system
    return Job(
        rule,
        seconds=time.time() - script.create_time(),
        cpu_seconds=max(cpu, before.cpu_seconds if before else 0),
        peak_rss_mb=max(peak, before.peak_rss_mb if before else 0),
    )


def _rule_of(process: psutil.Process) -> str | None:
    """Return the rule whose script the process runs, by the log that the script has opened."""
    if not any("/.snakemake/scripts/" in word for word in process.cmdline()):
        return None
    return next(_rules(file.path for file in process.open_files()), None)


def _rules(paths: Iterable[str]) -> Iterator[str]:
    """Yield the rules of those files that are logs of jobs."""
    for path in paths:
        _, found, log = path.partition(LOGS)
        if found:
            yield Path(log).parts[0].removesuffix(".log")


def _usage(process: psutil.Process) -> tuple[float, float]:
    """Return seconds of the processor and peak resident memory (MB) of a process."""
    used = process.cpu_times()
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    # A process that has just ended has no memory any more.
    peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return used.user + used.system, sum(map(int, peaks)) / 1024
