"""Assign the GPUs of a machine to its jobs: no two jobs get the same one."""

import logging
import os
import random
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

from filelock import FileLock, Timeout

from .errors import InputError

VISIBLE = "CUDA_VISIBLE_DEVICES"
# Not in the temporary folder of a job: all jobs of a user on a machine must see the same locks.
LOCKS = Path(f"/tmp/hinter-gpus-{os.getuid()}")
PAUSE_S = 1.0
QUERY = ["nvidia-smi", "--query-gpu=index,uuid", "--format=csv,noheader"]


@contextmanager
def claimed_gpus(count: int) -> Iterator[None]:
    """Claim `count` GPUs for this process alone, and make only these visible to CUDA.

    Waits while other jobs have them. Enter it before any code looks for GPUs, as the import of
    torch may. Does nothing if `count` is 0 or no GPU is visible. The claim ends with the process at
    the latest, however that ends. Raises `InputError` if fewer GPUs are visible.
    """
    visible = visible_gpus() if count else {}
    if not visible:
        yield
        return
    if count > len(visible):
        raise InputError(
            where="resources of the job, 'gpu'",
            found=f"{count} GPUs asked for and {len(visible)} visible: {', '.join(visible)}",
            expected=f"at most {len(visible)}",
            fix=f"Ask for fewer, or let {VISIBLE} name more.",
        )
    LOCKS.mkdir(mode=0o700, exist_ok=True)
    with ExitStack() as claims:
        names = _wait_for(count, visible=visible, claims=claims)
        with patch.dict(os.environ, {VISIBLE: ",".join(names)}):
            yield


def visible_gpus() -> dict[str, str]:
    """Return the GPUs that jobs may use: their UUIDs by their names in `CUDA_VISIBLE_DEVICES`.

    These are the GPUs that the variable names, or else all of the machine. If nvidia-smi does not
    know a GPU, its name is used as its UUID.
    """
    # Slurm may number the GPUs of each job from 0, so only UUIDs are unique.
    uuids = _read_uuids()
    if VISIBLE not in os.environ:
        return {uuid: uuid for uuid in uuids.values()}
    names = (name.strip() for name in os.environ[VISIBLE].split(","))
    # As CUDA does: GPUs after the first invalid name, such as -1, are not visible.
    valid = takewhile(re.compile(r"\d+|(GPU|MIG)-.+").fullmatch, names)
    return {name: uuids.get(name, name) for name in valid}


@cache
def _read_uuids() -> dict[str, str]:
    """Return the UUIDs of the machine's GPUs by their numbers, none if there is no driver."""
    try:
        printed = subprocess.run(QUERY, capture_output=True, text=True).stdout
    except OSError:
        return {}
    return dict(re.findall(r"^(\d+), (\S+)$", printed, flags=re.MULTILINE))


def _wait_for(count: int, *, visible: Mapping[str, str], claims: ExitStack) -> list[str]:
    """Return the names of the claimed GPUs, once there are `count` of them."""
    taken = _take(count, visible=visible, claims=claims)
    if len(taken) < count:
        logging.info("waiting for %d of the GPUs %s", count, ", ".join(visible))
    while len(taken) < count:
        # Two jobs that each keep some of the GPUs they need could wait for each other forever.
        claims.close()
        time.sleep(PAUSE_S * random.uniform(0.5, 1.5))
        taken = _take(count, visible=visible, claims=claims)
    return taken


def _take(count: int, *, visible: Mapping[str, str], claims: ExitStack) -> list[str]:
    """Claim up to `count` free GPUs and return their names."""
    taken: list[str] = []
    for name, uuid in visible.items():
        if len(taken) < count:
            with suppress(Timeout):
                claims.enter_context(FileLock(LOCKS / f"{uuid}.lock", timeout=0))
                taken.append(name)
    return taken
