"""Claims on keys: of the jobs that share a store, only one asks about a key.

A job claims keys before it asks, and its claims end with its answers or with the job. While it has
claims, it holds a lock on a file next to the store. The system releases the lock when the job ends,
however it ends and on any node, so no clocks are compared. The file system only needs locks that
are valid on all nodes, which SQLite needs too. If a lock outlives its job, or a job hangs, its
claims are taken over after `LEASE_S` seconds without an answer, by the clock of the waiting job.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from uuid import UUID, uuid4
from weakref import finalize

from filelock import FileLock, Timeout

from ..job import warn
from .tables import Tables

LEASE_S = 7200.0
"""Longer than the time limit of any model or endpoint for one answer, with attempts and pauses."""

# In hexadecimal, as a damaged claim may contain any bytes instead of a job.
_JOBS = "SELECT hex(job), count(*) FROM claims GROUP BY job"
_TAKEN = """
    SELECT count(*) FROM claims WHERE key IN (SELECT value FROM json_each(?))
        AND hex(job) NOT IN (SELECT value FROM json_each(?))
"""
_CLAIM = """
    INSERT OR IGNORE INTO claims SELECT value, ? FROM json_each(?)
    WHERE value NOT IN (SELECT key FROM responses)
"""


class Claims:
    """The claims of this job, and those of others, on keys of the store at `path`."""

    def __init__(self, tables: Tables, path: Path) -> None:
        self._tables, self._connection = tables, tables.connection
        self._path = path
        self._job = uuid4().hex
        self._lock: FileLock | None = None
        self._last_seen: dict[str, tuple[int, float]] = {}

    def take(self, keys: Sequence[str]) -> set[str]:
        """Claim and return the `keys` that are neither answered nor claimed by others."""
        if not keys:
            return set()
        gone = [job for job, claims in self._jobs() if not self._lives(job, claims=claims)]
        wanted = json.dumps(list(keys))
        (taken,) = self._connection.execute(_TAKEN, [wanted, json.dumps(gone)]).fetchone()
        if taken == len(keys):
            return set()
        if self._lock is None:
            file = self._file(self._job)
            self._lock = FileLock(file, thread_local=False)
            self._lock.acquire()
            finalize(self, _release, self._lock, file)
        with self._tables.transaction():
            self._connection.executemany(
                "DELETE FROM claims WHERE hex(job) = ?", [[job] for job in gone]
            )
            self._connection.execute(_CLAIM, [self._job, wanted])
            rows = self._connection.execute("SELECT key FROM claims WHERE job = ?", [self._job])
            return {key for (key,) in rows}

    def end(self, keys: Sequence[str]) -> None:
        """End the claims of this job on `keys`, in the transaction that adds their answers."""
        self._connection.executemany(
            "DELETE FROM claims WHERE key = ? AND job = ?", [[key, self._job] for key in keys]
        )

    def end_all(self) -> None:
        """End all claims of this job."""
        self._connection.execute("DELETE FROM claims WHERE job = ?", [self._job])

    def in_flight(self) -> int:
        """Return the number of keys that running jobs are asking about."""
        return sum(claims for job, claims in self._jobs() if self._lives(job, claims=claims))

    def _jobs(self) -> list[tuple[str, int]]:
        """Return the jobs that have claims, in hexadecimal, and how many each has."""
        return self._connection.execute(_JOBS).fetchall()

    def _lives(self, job: str, *, claims: int) -> bool:
        try:
            file = self._file(UUID(bytes.fromhex(job).decode()).hex)
        except ValueError:
            return False
        try:
            with FileLock(file, timeout=0):
                file.unlink(missing_ok=True)
                return False
        except Timeout:
            return self._answers(job, file=file, claims=claims)

    def _answers(self, job: str, *, file: Path, claims: int) -> bool:
        """Return whether the number of a job's claims has changed within the lease."""
        count, since = self._last_seen.setdefault(job, (claims, monotonic()))
        if count != claims:
            self._last_seen[job] = (claims, monotonic())
            return True
        if monotonic() - since <= LEASE_S:
            return True
        warn(
            "%s: the job with the lock %s has stored no answer for %.0f minutes; its %d texts are "
            "asked again, and may be paid for twice",
            *(self._path, file.name, LEASE_S / 60, claims),
        )
        return False

    def _file(self, job: str) -> Path:
        return self._path.with_suffix(f".{job}.lock")


def _release(lock: FileLock, file: Path) -> None:
    with suppress(OSError):
        file.unlink()
    lock.release()
