"""The tables of a store of responses, and checks that rows are unchanged.

Every response has a digest of the model, its key and itself, which reveals damage. Triggers ensure
that rows are only added.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..provenance import digest_of

SECONDS_TO_WAIT = 300
"""How many seconds a job waits for other jobs that write to the same file."""

MARK = 0x48496E74
"""The application_id (in SQLite's header) of a store whose rows have digests."""

CHANGES = ("UPDATE", "DELETE")
RESPONSES = [
    """
    CREATE TABLE responses (
        key TEXT PRIMARY KEY, response TEXT NOT NULL, digest TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    *(
        f"""
        CREATE TRIGGER no_{change} BEFORE {change} ON responses
            BEGIN SELECT raise(ABORT, 'responses are only ever added'); END
        """
        for change in CHANGES
    ),
]
OTHERS = [
    "CREATE TABLE damaged (key, response, digest)",
    "CREATE TABLE received (responses INTEGER)",
    "CREATE TABLE claims (key TEXT PRIMARY KEY, job TEXT NOT NULL) WITHOUT ROWID",
    f"PRAGMA application_id = {MARK}",
]
RECEIVED = "(SELECT coalesce(sum(CAST(responses AS INTEGER)), 0) FROM received)"
KEPT = "((SELECT count(*) FROM responses) + (SELECT count(*) FROM damaged))"

Row = tuple[Any, ...]


class Tables:
    """The tables in the SQLite file at `path`, with the responses of one model (a fingerprint).

    If SQLite cannot use the file, methods raise `sqlite3.DatabaseError`.
    """

    def __init__(self, path: Path, *, fingerprint: str) -> None:
        self._path, self._fingerprint = path, fingerprint
        self.connection = sqlite3.connect(path, timeout=SECONDS_TO_WAIT, isolation_level=None)
        # Damaged text may not be UTF-8, but must be read to be reported.
        self.connection.text_factory = lambda text: text.decode(errors="surrogateescape")

    def reader(self) -> "Tables":
        """Return the same tables on a separate connection, which sees only committed rows."""
        return Tables(self._path, fingerprint=self._fingerprint)

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write everything in the block or nothing, while no other job writes."""
        self.connection.execute("BEGIN IMMEDIATE")
        with self.connection:
            yield

    def run(self, statements: Sequence[str]) -> None:
        """Run statements one after the other."""
        for statement in statements:
            self.connection.execute(statement)

    def mark(self) -> int:
        """Return the file's application_id."""
        return self._number("PRAGMA application_id")

    def row(self, key: str, response: str) -> tuple[str, str, str]:
        """Return the row of a response."""
        return key, response, digest_of(model=self._fingerprint, key=key, response=response)

    def is_sound(self, row: Row) -> bool:
        """Return whether a row is unchanged or, if it has no digest, whether it holds text."""
        texts = row[:2]
        return _are_texts(texts) and (len(row) == 2 or row == self.row(*texts))

    def damage(self) -> str | None:
        """Return what is wrong with the responses, or None if all are unchanged."""
        if disorder := self.disorder():
            return disorder
        if missing := self.unaccounted():
            return f"{missing} rows are missing"
        sound = all(map(self.is_sound, self.rows()))
        return None if sound else "a row and its digest do not agree"

    def disorder(self) -> str | None:
        """Return the damage that SQLite finds in the table of responses, or None."""
        try:
            rows = self.connection.execute("PRAGMA integrity_check(responses)").fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            return str(error)
        return None if rows == [("ok",)] else str(rows[0][0]).splitlines()[-1]

    def received(self) -> int:
        """Return how many responses were ever added, by the count in the table `received`."""
        return self._number(f"SELECT {RECEIVED}")

    def unaccounted(self) -> int:
        """Return how many of the responses ever added are neither in the table nor set aside."""
        return self._number(f"SELECT {RECEIVED} - {KEPT}")

    def note_received(self) -> None:
        """Note how many responses are in the table or set aside."""
        self.run(["DELETE FROM received", f"INSERT INTO received SELECT {KEPT}"])

    def rows(self) -> Iterator[Row]:
        """Yield all rows; other jobs may write meanwhile."""
        query = "SELECT key, response, digest FROM responses {} ORDER BY key LIMIT 10000"
        rows = self.connection.execute(query.format("")).fetchall()
        while rows:
            yield from rows
            rows = self.connection.execute(query.format("WHERE key > ?"), rows[-1][:1]).fetchall()

    def _number(self, query: str) -> int:
        return int(self.connection.execute(query).fetchone()[0])


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Return whether an error means that the file is damaged, not locked or unreachable."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def _are_texts(values: Row) -> bool:
    """Return whether all values are texts of valid UTF-8."""
    try:
        return all(isinstance(value, str) and value.encode() is not None for value in values)
    except UnicodeEncodeError:
        return False
