"""The tables of a store of responses, checks that rows are unchanged, and their repair.

Every response has a digest of the model, its key and itself, which reveals damage. Triggers ensure
that rows are only added.

A store is repaired in one transaction, also while other jobs use it, and no row is lost: sound rows
are copied into a new table, and damaged rows move to the table `damaged`.
"""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ..provenance import digest_of

SECONDS_TO_WAIT = 300
"""How many seconds a job waits for other jobs that write to the same file."""

MARK = 0x48496E74
"""The application_id (in SQLite's header) of a store."""

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

TABLE_NAMES = "SELECT name FROM sqlite_master WHERE type = 'table'"
COPIES = [
    "CREATE TEMP TABLE sound (key TEXT PRIMARY KEY, response, digest) WITHOUT ROWID",
    "CREATE TEMP TABLE unsound (key, response, digest)",
]
REPLACE = [
    *(f"DROP TRIGGER IF EXISTS no_{change}" for change in CHANGES),
    "ALTER TABLE responses RENAME TO former",
    *RESPONSES,
    "INSERT INTO responses SELECT * FROM sound",
    "INSERT INTO damaged SELECT * FROM unsound",
    "DROP TABLE sound",
    "DROP TABLE unsound",
]

Row = tuple[Any, ...]
Mended = tuple[str, list[str], int]
"""The damage of a store, the keys of the rows set aside, and the number of unreadable rows."""


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
        """Return whether a row is unchanged."""
        key, response, _ = row
        # Damaged rows may hold bytes, which have no digest.
        return isinstance(key, str) and isinstance(response, str) and row == self.row(key, response)

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


def prepare(tables: Tables) -> None:
    """Make the tables of a new store; raise `sqlite3.DatabaseError` for a file that is none."""
    if tables.mark() == MARK:
        return
    with tables.transaction():
        # Another job may have done so in the meantime.
        if tables.mark() == MARK:
            return
        if tables.mark() or tables.connection.execute(TABLE_NAMES).fetchall():
            raise sqlite3.DatabaseError("not a store of responses")
        tables.run([*OTHERS, *RESPONSES])
        tables.note_received()


def mend(tables: Tables, *, without: Collection[Row] = ()) -> Mended | None:
    """Set aside damaged rows, and the rows (key, response) in `without`.

    Returns None if there are none, because another job was first.
    """
    with tables.transaction():
        with closing(tables.reader()) as reader:
            damage = reader.damage()
        if damage is None and not without:
            return None
        mended = _renew(tables, damage=damage, without=without)
        if disorder := tables.disorder():
            raise sqlite3.DatabaseError(disorder)
    return mended


def _renew(tables: Tables, *, damage: str | None, without: Collection[Row]) -> Mended | None:
    """Replace the former table by a new one with the sound rows.

    If SQLite finds disorder in the former table, or rows are missing, that table is kept under
    another name: dropping it could free pages that belong to others.
    """
    tables.run(COPIES)
    # A separate connection, as one that has met damage can no longer write in a transaction.
    with closing(tables.reader()) as reader:
        disorder = reader.disorder()
        keys = _copy(reader, tables, without=without)
    tables.run(REPLACE)
    unreadable = max(0, tables.unaccounted())
    number = len(tables.connection.execute(TABLE_NAMES).fetchall())
    kept = f"ALTER TABLE former RENAME TO unreadable_{number}"
    tables.run([kept if disorder or unreadable else "DROP TABLE former"])
    tables.note_received()
    found = disorder or damage or ("rows without sense" if keys else None)
    return (found, keys, unreadable) if found else None


def _copy(reader: Tables, tables: Tables, *, without: Collection[Row]) -> list[str]:
    """Copy rows into the temporary tables, and return the keys of damaged ones."""
    damaged: list[str] = []
    for row in _readable_rows(reader):
        if reader.is_sound(row) and row[:2] not in without:
            copied = tables.connection.execute("INSERT OR IGNORE INTO sound VALUES (?, ?, ?)", row)
            # In a damaged file, a row may appear at the position of another.
            if copied.rowcount:
                continue
        stored = [
            value.encode(errors="surrogateescape") if isinstance(value, str) else value
            for value in row
        ]
        tables.connection.execute("INSERT INTO unsound VALUES (?, ?, ?)", stored)
        damaged.append(str(row[0]).encode(errors="replace").decode())
    return damaged


def _readable_rows(reader: Tables) -> Iterator[Row]:
    """Yield the rows up to an unreadable one, then from the last row back to an unreadable one."""
    last = row = None
    for order in ("ASC", "DESC"):
        try:
            for row in reader.connection.execute(f"SELECT * FROM responses ORDER BY key {order}"):
                if row == last:
                    return
                yield row
            return
        except sqlite3.DatabaseError as error:
            if not is_damage(error) or (order == "DESC" and row is None):
                raise
            last = row
