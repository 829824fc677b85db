"""Responses, kept from run to run, so that no model is asked twice what it has answered.

One SQLite file per model. It is written in the journal mode that works on network file systems too,
so any number of jobs may share it, and a killed job loses what was in flight and nothing else.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError

SECONDS_TO_WAIT = 300
"""How long a job waits for others that write to the same file."""

_TABLES = """
    CREATE TABLE IF NOT EXISTS responses (
        key TEXT PRIMARY KEY, response TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON responses
        BEGIN SELECT raise(ABORT, 'responses are only ever added'); END;
    CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON responses
        BEGIN SELECT raise(ABORT, 'responses are only ever added'); END;
"""


class ResponseStore:
    """The responses of the model with this fingerprint, by the digest of what it saw."""

    def __init__(self, folder: Path, *, fingerprint: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{fingerprint}.sqlite"
        with self._reported():
            self._connection = sqlite3.connect(self._path, timeout=SECONDS_TO_WAIT)
            self._connection.executescript(_TABLES)

    def __len__(self) -> int:
        """Return the number of responses."""
        with self._reported():
            count: int = self._connection.execute("SELECT count(*) FROM responses").fetchone()[0]
        return count

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the responses that are known."""
        query = "SELECT key, response FROM responses WHERE key IN (SELECT value FROM json_each(?))"
        with self._reported():
            return dict(self._connection.execute(query, [json.dumps(list(keys))]))

    def add(self, responses: Mapping[str, str]) -> None:
        """Add responses, whole or not at all; where one is known already, that one stays."""
        with self._reported(), self._connection:
            self._connection.executemany(
                "INSERT OR IGNORE INTO responses VALUES (?, ?)", responses.items()
            )

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise InputError(
                where=str(self._path),
                found=f"a file that cannot be used ({error})",
                expected="a store of responses with room on its disk",
                fix="Make room, or move the file away: what it held is then asked again.",
            ) from None
