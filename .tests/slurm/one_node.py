"""A Slurm of one node on this machine, for tests: four made-up GPUs, and no trace when it ends.

`python -m slurm.one_node 16` in `.tests` starts it with so many processors, says so, and ends it
when its input ends: that input ends with the process that holds it, even if that one is killed.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock
from serving import free_port

TEMPLATE = Path(__file__).with_name("slurm.conf")
# Jobs look for the configuration nowhere else: Snakemake's executor takes SLURM_CONF from them.
SETTINGS = Path("/etc/slurm")
LOCK = Path(tempfile.gettempdir()) / "one_node_slurm.lock"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
GPUS = 4
SECONDS_TO_WAIT = 60


def obstacle() -> str | None:
    """Return why no Slurm can be started here, None where one can."""
    if os.geteuid() != 0:
        return "only root can start Slurm's daemons"
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    if absent:
        return f"{', '.join(absent)} not found: install the packages slurm-wlm and munge"
    settings = SETTINGS / "slurm.conf"
    if settings.exists() and not settings.is_symlink():
        return f"by {settings}, this machine belongs to a cluster"
    return None


@contextmanager
def running_slurm(*, cpus: int = 16) -> Iterator[None]:
    """Run this module as a program; the node may say that it has more processors than there are."""
    with subprocess.Popen(
        [sys.executable, "-m", "slurm.one_node", str(cpus)],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C is for the tests, which still need a Slurm when they end.
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "Slurm does not start"
        yield


def main(*, cpus: int) -> None:
    """Run a Slurm until the input ends, and remove what it wrote."""
    with ExitStack() as stack:
        stack.enter_context(FileLock(LOCK))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slurm-")))
        for name, text in _settings(folder, cpus=cpus).items():
            (folder / name).write_text(text)
            stack.enter_context(_linked(SETTINGS / name, folder / name))
        for command in _daemons(folder):
            stack.enter_context(_running(command, log=folder / f"{command[0]}.log"))
        _wait_until("idle", command=["sinfo", "-h", "-o", "%T"])
        print("Slurm is up.", flush=True)
        sys.stdin.read()
        subprocess.run(["scancel", "--user", "root"], check=True)
        _wait_until("", command=["squeue", "-h"])


def _settings(folder: Path, *, cpus: int) -> dict[str, str]:
    """Return the configuration files, after making the devices that play GPUs."""
    for number in range(GPUS):
        (folder / f"gpu{number}").symlink_to(os.devnull)
    host = socket.gethostname().split(".")[0]
    text = TEMPLATE.read_text().format(
        host=host, cpus=cpus, folder=folder, controller_port=free_port(), node_port=free_port()
    )
    gpus = f"NodeName={host} Name=gpu File={folder}/gpu[0-{GPUS - 1}]\n"
    return {"slurm.conf": text, "gres.conf": gpus}


@contextmanager
def _linked(link: Path, target: Path) -> Iterator[None]:
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    try:
        yield
    finally:
        link.unlink()


def _daemons(folder: Path) -> list[list[str]]:
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    paths = {"socket": "socket", "key-file": "key", "pid-file": "pid", "seed-file": "seed"}
    munge = [f"--{option}={folder}/munge.{ending}" for option, ending in paths.items()]
    # Others could not reach the socket in this folder, which is right: all is done by root.
    return [["munged", "--foreground", "--force", *munge], ["slurmctld", "-D"], ["slurmd", "-D"]]


@contextmanager
def _running(command: list[str], *, log: Path) -> Iterator[None]:
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
    try:
        yield
    finally:
        process.terminate()
        process.wait(SECONDS_TO_WAIT)


def _wait_until(expected: str, *, command: list[str]) -> None:
    for _ in range(SECONDS_TO_WAIT):
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.strip()
        if printed == expected:
            return
        time.sleep(1)
    raise RuntimeError(f"{' '.join(command)} tells {printed!r}, and not {expected!r}")


if __name__ == "__main__":
    main(cpus=int(sys.argv[1]))
