"""Opening and repairing stores of responses: sound rows are copied into a new table.

A store is repaired in one transaction, whichever other jobs use it, and no row is lost: rows that
are not sound move to the table `damaged`. A store whose rows have no digests yet is converted in
the same way: its rows get the digests of what they hold.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from typing import Any, NamedTuple

from .tables import CHANGES, MARK, OTHERS, RESPONSES, Row, Tables, is_damage

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


class Mended(NamedTuple):
    """What was wrong with a store, the keys of the rows set aside, and how many are unreadable."""

    damage: str
    keys: list[str]
    unreadable: int


def prepare(tables: Tables) -> Mended | None:
    """Make the tables of a new store, or convert those without digests; None if all is sound."""
    if tables.mark() == MARK:
        return None
    with tables.transaction():
        # Another job may have been first.
        if tables.mark() == MARK:
            return None
        names = {name for (name,) in tables.connection.execute(TABLE_NAMES)}
        if tables.mark() or names - {"responses"}:
            raise sqlite3.DatabaseError("not a store of responses")
        tables.run(OTHERS)
        if names:
            return _renew(tables, damage=None, without=())
        tables.run(RESPONSES)
        tables.note_received()
    return None


def mend(tables: Tables, *, without: Collection[Row] = ()) -> Mended | None:
    """Set aside the rows that are not sound, and those (key, response) that are in `without`.

    Returns None where there are none, because another job was first.
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
    """Put a new table with the sound rows in place of the former one.

    If SQLite finds disorder in the former table, or rows are missing, it is kept under another
    name: dropping it could free pages that are not its own.
    """
    tables.run(COPIES)
    # A connection of its own: once SQLite meets damage, that connection can write no more in a
    # transaction.
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
    return Mended(found, keys, unreadable) if found else None


def _copy(reader: Tables, tables: Tables, *, without: Collection[Row]) -> list[str]:
    """Copy rows into the temporary tables, and return the keys of those that are not sound."""
    damaged: list[str] = []
    for row in _readable_rows(reader):
        # In a damaged file, one row may appear in place of another.
        if reader.is_sound(row) and row[:2] not in without and not _is_copied(tables, row[0]):
            table, values = "sound", tables.row(*row[:2])
        else:
            table, values = "unsound", tuple(map(_as_stored, (*row, None)[:3]))
            damaged.append(str(row[0]).encode(errors="replace").decode())
        tables.connection.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", values)
    return damaged


def _readable_rows(reader: Tables) -> Iterator[Row]:
    """Yield the rows up to one that cannot be read, then from the last row back to such a row."""
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


def _is_copied(tables: Tables, key: str) -> bool:
    return bool(tables.connection.execute("SELECT 1 FROM sound WHERE key = ?", [key]).fetchall())


def _as_stored(value: Any) -> Any:
    return value.encode(errors="surrogateescape") if isinstance(value, str) else value
