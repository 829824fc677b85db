"""Limits on the bytes and the time that a source takes.

A source is fetched in a process of its own. If it exceeds them, the process is terminated, whatever
it is waiting for.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

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
            failure: str | None = receiver.recv()
            return failure
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
