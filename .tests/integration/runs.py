"""The workflow as its users have it: a folder of their own, and commands in it."""

import fcntl
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import yaml
from filelock import FileLock
from slurm.one_node import obstacle, running_slurm

HERE = Path(__file__).resolve().parent
PARTS = ["CITATION.cff", "Snakefile", "config", "data", "envs", "profiles", "workflow"]
PROMISED = [
    *("dictionary", "corpora", "mutants", "counts", "occurrences", "suites", "comparators"),
    *("predictions", "verdicts", "samples", "grammar", "tables", "probes", "hits", "relations"),
]

WITH_CONDA = {
    "PATH": os.pathsep.join(
        [str(HERE.parent / "conda" / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
}

# As a user calls it, but for jobs that are over in a few seconds.
_ON_CLUSTER = ("--profile", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "1")


@contextmanager
def sent_out() -> Iterator[tuple[str, ...]]:
    """Yield the arguments that send jobs to a Slurm, or run them here where none can be started.

    The Slurm runs until the block ends, as there can be one at a time.
    """
    if obstacle() is None:
        with running_slurm():
            yield _ON_CLUSTER
    else:
        yield ("--cores", "1")


def copy_project(folder: Path, *, root: Path) -> None:
    """Make `folder` with a copy of what a study needs of the project."""
    folder.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (root / part).is_dir() else shutil.copy
        copy(root / part, folder / part)


def plan_of(folder: Path, *, config: str, forks: Mapping[str, str]) -> str:
    """Return what a dry run tells."""
    return subprocess.run(
        [
            forks["ASK_FORKS"],
            "-m",
            "snakemake",
            "--dry-run",
            "--configfile",
            f"config/{config}.yaml",
        ],
        cwd=folder,
        env={**os.environ, **forks},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def planned_jobs(folder: Path, *, config: str, forks: Mapping[str, str]) -> dict[str, int]:
    """Return the jobs by rule, and their `total`, of a dry run."""
    printed = plan_of(folder, config=config, forks=forks)
    counts = re.findall(r"^(\w+) +(\d+)$", printed, flags=re.MULTILINE)
    return {rule: int(count) for rule, count in counts}


def checkout(folder: Path, *, root: Path, resources: Path, config: Path) -> Path:
    """Return a copy of the project in `folder`, with `config` as `small`, and the resources."""
    copy_project(folder, root=root)
    shutil.copytree(config, folder / "small", copy_function=_copy)
    shutil.copytree(resources, folder / "resources", copy_function=os.link)
    return folder


def edit_sheet(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what a YAML sheet says."""
    sheet = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(sheet)
    path.write_text(yaml.safe_dump(sheet), encoding="utf-8")


def copy_finished(study: Path, folder: Path, *left_out: str) -> Path:
    """Return a copy in `folder` of all that a finished study has, but what is named `left_out`."""
    return shutil.copytree(
        study, folder, copy_function=_copy, ignore=shutil.ignore_patterns(*left_out)
    )


def _copy(source: str, target: str) -> None:
    """Link large files, which nobody writes to."""
    (os.link if Path(source).stat().st_size > 1_000_000 else shutil.copy2)(source, target)


def digests(study: Path) -> dict[str, str]:
    """Return the sha256 of each file with results in the folder of a finished study."""
    files = [
        path
        for part in PROMISED
        for path in sorted((study / "results" / part).rglob("*"))
        if path.is_file()
    ]
    files += sorted((study / "figures").glob("*.p*"))
    files += [*(study / "results").glob("assessed.parquet"), *study.glob("report.html")]
    return {
        str(path.relative_to(study)): hashlib.sha256(without_times(path.read_bytes())).hexdigest()
        for path in files
    }


def kept_responses(store: Path) -> dict[str, str]:
    """Return all responses that a folder of stores holds, by their keys."""
    found: dict[str, str] = {}
    for path in store.glob("*.sqlite"):
        with closing(sqlite3.connect(path, timeout=60)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
            if ("responses",) in tables:
                found |= connection.execute("SELECT key, response FROM responses")
    return found


def without_times(content: bytes) -> bytes:
    """Return a page without how long its study took, which no two runs have in common."""
    return re.sub(rb'<(dl|section) [^>]*id="(?:took|cost)".*?</\1>', b"", content, flags=re.DOTALL)


def start(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None, **options: Any
) -> "subprocess.Popen[str]":
    """Start Snakemake in `folder`; its output is to be read."""
    python = (environment or {}).get("ASK_FORKS", sys.executable)
    return subprocess.Popen(
        [python, "-m", "snakemake", "--configfile", "small/config.yaml", *arguments],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )


def snakemake(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    succeeds: bool = True,
) -> str:
    """Run Snakemake in `folder`, which must succeed or must not, and return its output."""
    with start(folder, *arguments, environment=environment) as process:
        printed, _ = process.communicate()
    assert (process.returncode == 0) == succeeds, printed
    return printed


@contextmanager
def forking(shared: Path) -> Iterator[dict[str, str]]:
    """Yield the environment in which Snakemake and its jobs are forks of one with their libraries.

    So they start at once, where importing these would take most of their time. All processes of
    tests that name the folder `shared` have one server, which ends with the last of them.
    """
    noted, lock = shared / "forks.json", FileLock(shared / "forks.lock")
    with (shared / "forks.users").open("a") as users, ExitStack() as stack:
        with lock:
            fcntl.flock(users, fcntl.LOCK_SH)
            if not noted.exists():
                noted.write_text(json.dumps(stack.enter_context(_serving_forks())))
                stack.callback(_wait_for_others, users, lock=lock, noted=noted)
        yield json.loads(noted.read_text())


def _wait_for_others(users: IO[str], *, lock: FileLock, noted: Path) -> None:
    """Return once nobody else holds the file of users, when nobody can be a new one."""
    while noted.exists():
        with lock, suppress(BlockingIOError):
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            noted.unlink()
        time.sleep(0.1)


@contextmanager
def _serving_forks() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as place:
        asking, socket = Path(place) / "python", Path(place) / "socket"
        command = f'exec {sys.executable} -IS {HERE}/forked/ask.py {sys.executable} "$@"'
        asking.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
        asking.chmod(0o755)
        server = [sys.executable, str(HERE / "forked" / "forks.py"), str(socket)]
        with subprocess.Popen(server, stdin=subprocess.DEVNULL) as process:
            try:
                while not socket.exists():
                    assert process.poll() is None
                    time.sleep(0.05)
                yield {"ASK_FORKS": str(asking), "FORKS": str(socket)}
            finally:
                process.terminate()


def run_killed(
    folder: Path,
    *arguments: str,
    moments: Mapping[str, int],
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run Snakemake until it was killed with all its jobs at each of the moments.

    `moments` are numbers of steps (see `killer`) by the names of scripts. The last run leaves its
    lock.
    """
    with tempfile.TemporaryDirectory() as place:
        for script, step in moments.items():
            (Path(place) / script).write_text(str(step))
        killing = {"PYTHONPATH": str(HERE / "killer"), "MOMENTS": place}
        while any(Path(place).iterdir()):
            # As `--unlock` does, which takes as long as a run.
            shutil.rmtree(folder / ".snakemake" / "locks", ignore_errors=True)
            with start(
                folder,
                *("--cores", "1", "--skip-script-cleanup", *arguments),
                environment={**(environment or {}), **killing},
                start_new_session=True,
            ) as process:
                printed, _ = process.communicate()
            assert process.returncode == -signal.SIGKILL, printed


def drawn_moments(steps: Mapping[str, tuple[int, int]], *, seed: int) -> dict[str, int]:
    """Return a step of each script, drawn between the first and the last of those given."""
    draw = random.Random(seed)
    return {script: draw.randint(*some) for script, some in steps.items()}
