"""Fetch one resource: try its sources in order, verify every file, keep nothing incomplete.

The bytes and the time that a source takes are limited. It is fetched in a process of its own. If it
exceeds the limits, the process is terminated, whatever it is waiting for.
"""

import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from ..errors import InputError
from ..provenance import sha256_of
from .downloads import (
    fetch_archive,
    fetch_https,
    fetch_hub,
    fetch_maven,
    fetch_wheel,
    lock_name,
    take,
)
from .registry import read_lock

# If there are more files, messages give only their number.
MOST_NAMED = 8
# The sizes in the registry are approximate.
SLACK = 2
KINDS: dict[str, Callable[[Mapping[str, str], Sequence[str], Path], None]] = {
    "archive": fetch_archive,
    "https": fetch_https,
    "hub": fetch_hub,
    "maven": fetch_maven,
    "wheel": fetch_wheel,
}
"""The function that fetches the named files of a source into a folder, by the source's kind."""


def fetch_resource(*, name: str, entry: Mapping[str, Any], folder: Path) -> None:
    """Fetch all files of the registry's `entry` into `folder`, from the first source that works.

    Files are fetched into a temporary folder next to `folder`. They are moved together, once the
    sha256 of each has been verified by the registry. A folder that is already complete is not
    changed. An archive with its own sha256 may contain other files; these are then verified by
    a list that is written from the archive. A source fails if it takes far more disk space than the
    registry says, or if almost no data arrives. Raises `InputError` when every source has failed.
    """
    files = entry["files"]
    if _is_whole(folder, entry=entry):
        logging.info("resource %s is already here", name)
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    failures = []
    for source in entry["sources"]:
        with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
            arrived = Path(scratch)
            failure = _attempt(source, entry=entry, folder=arrived)
            if failure is None:
                names = _expected(source, files=files, folder=arrived)
                _take_place(arrived, names=names, folder=folder, entry=entry)
                logging.info("resource %s came from %s", name, describe_source(source))
                return
        failures.append(f"{describe_source(source)}: {failure}")
        logging.warning("resource %s, source %s", name, failures[-1])
    named = ", ".join(files) if len(files) <= MOST_NAMED else f"{len(files)} files"
    raise InputError(
        where=f"resource {name} (data/registry.yaml)",
        found="; ".join(failures),
        expected=f"one source that provides {named} with the registry's sha256",
        fix="Connect to the network (gated repositories need HF_TOKEN in the environment) and run "
        f"`snakemake resources`, or put the files into {folder} yourself.",
    )


def describe_source(source: Mapping[str, str]) -> str:
    """Return the name of `source` in messages."""
    apart = ("prefix", "sha256", "megabytes")
    return " ".join(value for key, value in source.items() if key not in apart)


def _is_whole(folder: Path, *, entry: Mapping[str, Any]) -> bool:
    differences = (
        _difference(source, files=entry["files"], folder=folder) for source in entry["sources"]
    )
    return folder.is_dir() and None in differences


def _attempt(source: Mapping[str, Any], *, entry: Mapping[str, Any], folder: Path) -> str | None:
    files, kept = entry["files"], entry["megabytes"]
    # Pip has two copies of an archive for a short time.
    archive = 2 * source.get("megabytes", kept) if source["kind"] in ("archive", "wheel") else 0
    failure = within_bounds(
        partial(KINDS[source["kind"]], source, list(files), folder),
        folder=folder,
        most_bytes=SLACK * (kept + archive) * 1_000_000,
    )
    return failure or _difference(source, files=files, folder=folder)


def _expected(
    source: Mapping[str, str], *, files: Mapping[str, list[str]], folder: Path
) -> Mapping[str, list[str]]:
    """Return the files that `source` provides: the registry's, or those of its verified archive."""
    if "sha256" not in source or not (folder / lock_name(source)).is_file():
        return files
    return read_lock(folder / lock_name(source)) | {lock_name(source): []}


def _difference(
    source: Mapping[str, str], *, files: Mapping[str, list[str]], folder: Path
) -> str | None:
    for file, accepted in _expected(source, files=files, folder=folder).items():
        if not (folder / file).is_file():
            return f"no file {file}"
        found = sha256_of(folder / file)
        if accepted and found not in accepted:
            return f"wrong sha256 of {file}: found {found}, expected {' or '.join(accepted)}"
    return None


def _take_place(
    arrived: Path, *, names: Iterable[str], folder: Path, entry: Mapping[str, Any]
) -> None:
    keep = arrived / ".complete"
    take(names, content=arrived, folder=keep)
    try:
        keep.rename(folder)
    # The folder exists: it has damaged files, or those that another study has just fetched.
    except OSError:
        if not _is_whole(folder, entry=entry):
            shutil.rmtree(folder, ignore_errors=True)
            keep.rename(folder)


LEAST_BYTES, SECONDS = 100_000, 60.0
"""At least `LEAST_BYTES` must arrive in any period of `SECONDS`."""
READ_BYTES_PER_SECOND = 50e6
"""How fast a slow disk reads. While the sha256 of a file is computed, no bytes arrive."""
GLANCE_SECONDS = 0.2


def within_bounds(fetch: Callable[[], None], *, folder: Path, most_bytes: int) -> str | None:
    """Run `fetch`, which fills `folder`, and return why it failed, or None if it succeeded.

    It also fails if the folder grows beyond `most_bytes`, or if less than `LEAST_BYTES` arrive
    in `SECONDS` plus the time that it takes to read all files that are already there.
    """
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(fetch, sender, os.getpid()))
    process.start()
    sender.close()
    try:
        failure = _watch(receiver, folder=folder, most_bytes=most_bytes)
    except EOFError:
        process.join()
        failure = f"it ended with the status {process.exitcode}"
    finally:
        process.terminate()
        process.join(5)
        process.kill()
        process.join()
        receiver.close()
    return failure


def _send(fetch: Callable[[], None], sender: Connection, parent: int) -> None:
    """Send why `fetch` failed, or None. When terminated, also terminate what it has started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # The parent gets Ctrl-C as well, and terminates this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        fetch()
    # Each client library has its own exceptions. After any of them, the next source is tried.
    except Exception as error:
        sender.send(f"{type(error).__name__}: {' '.join(str(error).split())[:400]}")
    else:
        sender.send(None)


def _end_with(parent: int) -> None:
    """Terminate this process when its parent is gone."""
    while os.getppid() == parent:
        time.sleep(GLANCE_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


def _watch(receiver: Connection, *, folder: Path, most_bytes: int) -> str | None:
    held, since = 0, time.monotonic()
    while True:
        done, now = receiver.poll(GLANCE_SECONDS), _bytes_in(folder)
        if now > most_bytes:
            return f"it takes more than {most_bytes / 1e6:.0f} MB (see `megabytes` in the registry)"
        if done:
            return receiver.recv()
        if now < held or now - held >= LEAST_BYTES:
            held, since = now, time.monotonic()
        elif time.monotonic() - since > (most := SECONDS + now / READ_BYTES_PER_SECOND):
            return f"less than {LEAST_BYTES / 1000:.0f} kB arrived in {most:.0f} seconds"


def _bytes_in(folder: Path) -> int:
    sizes = 0
    for place, _, names in os.walk(folder):
        for name in names:
            # The file may have been removed meanwhile.
            with suppress(FileNotFoundError):
                sizes += Path(place, name).stat().st_size
    return sizes
