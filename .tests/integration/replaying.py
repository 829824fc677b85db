"""The jobs of a finished study run once more, one by one, without Snakemake, and killed on the way.

The study was run with `--skip-script-cleanup`: then Snakemake leaves the scripts that it ran, with
all that it gave to them.
"""

import json
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent


class Job(NamedTuple):
    """The script of a job, and the files that it makes."""

    script: Path
    outputs: list[str]
    log: str

    @property
    def name(self) -> str:
        """What it does, with what: the place of its log."""
        return self.log.removeprefix("results/logs/").removesuffix(".log")


def jobs_of(study: Path) -> list[Job]:
    """Return the jobs that a study had, in the order in which they were begun.

    Of a job that was begun more than once, the last script is taken.
    """
    scripts = (study / ".snakemake" / "scripts").glob("tmp*.py")
    jobs: dict[str, Job] = {}
    for path in sorted(scripts, key=lambda path: path.stat().st_mtime_ns):
        job = _job(path)
        jobs.pop(job.log, None)
        jobs[job.log] = job
    return list(jobs.values())


def _job(script: Path) -> Job:
    preamble = script.read_text(encoding="utf-8").partition("snakemake preamble end")[0]
    (pickled,) = re.findall(r"pickle\.loads\((b'.*?(?<!\\)')\)", preamble)
    snakemake: Any = pickle.loads(eval(pickled))
    (log,) = snakemake.log
    return Job(script, list(snakemake.output), log)


class Replay:
    """Runs jobs in the folder of a study, whose modules have been imported for all of them."""

    def __init__(self, folder: Path, *, process: "subprocess.Popen[str]") -> None:
        self.folder, self._process = folder, process

    def run(self, job: Job) -> None:
        """Run a job, which must succeed."""
        assert self._run(job, moment=None) == 0, (self.folder / job.log).read_text()
        for folder in filter(Path.is_dir, (self.folder / name for name in job.outputs)):
            # Where Snakemake keeps the time of a folder. It counts as a part of a model.
            (folder / ".snakemake_timestamp").touch()

    def kill(self, job: Job, *, step: int) -> None:
        """Run a job until it is killed before this step of its work."""
        moment = self.folder / "moment"
        moment.write_text(str(step))
        assert self._run(job, moment=moment) == -signal.SIGKILL, (self.folder / job.log).read_text()

    def _run(self, job: Job, *, moment: Path | None) -> int:
        self._prepare(job)
        asked = {
            "folder": str(self.folder),
            "script": str(job.script),
            "moment": None if moment is None else str(moment),
        }
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def _prepare(self, job: Job) -> None:
        """Remove what is there of a job's files, and make their folders, as Snakemake does."""
        for name in [*job.outputs, job.log]:
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)


@contextmanager
def replaying(folder: Path, *, environment: Mapping[str, str]) -> Iterator[Replay]:
    """Yield what runs jobs in the folder of a study, with its own library."""
    library = folder / "workflow" / "scripts"
    with subprocess.Popen(
        [sys.executable, str(HERE / "killer" / "forking.py")],
        env={**os.environ, "PYTHONPATH": str(library), **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Replay(folder, process=process)
        assert process.stdin is not None
        process.stdin.close()


def replay_study(
    study: Path,
    folder: Path,
    *,
    killed: Mapping[str, tuple[range, int]],
    also_run: tuple[str, ...],
    again: tuple[str, ...] = ("",),
    environment: Mapping[str, str],
) -> None:
    """Run jobs of a finished study `again` in `folder`, where none has been run.

    Jobs are named by the beginnings of their names. One of each of `killed` is killed before so
    many steps, drawn from those given, or as it ends. Those of `also_run` are left out; of all that
    are not to be run again, the files that the study has are taken.
    """
    # How long jobs took is printed by Snakemake.
    for part in (".snakemake/scripts", "results/benchmarks"):
        shutil.copytree(study / part, folder / part)
    draw, left = random.Random(7), dict(killed)
    with replaying(folder, environment=environment) as replay:
        for job in jobs_of(folder):
            if job.name.startswith(also_run):
                continue
            if not job.name.startswith(again):
                _take(job, study=study, folder=folder)
                continue
            stage = next(filter(job.name.startswith, left), "")
            steps, times = left.pop(stage, (range(0), 0))
            for step in draw.sample(steps, times):
                replay.kill(job, step=step)
            replay.run(job)
    assert not left


def _take(job: Job, *, study: Path, folder: Path) -> None:
    """Copy what a job of the study made, but for what is removed once it has been used."""
    for name in filter(lambda name: (study / name).exists(), job.outputs):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (study / name).is_dir():
            shutil.copytree(study / name, folder / name)
        else:
            shutil.copy2(study / name, folder / name)
