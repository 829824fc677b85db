"""Open and repair stores of responses: sound rows are copied into a new table.

A store is repaired in one transaction, also while other jobs use it, and no row is lost: damaged
rows move to the table `damaged`. A store whose rows have no digests yet is converted in the same
way, and digests of its rows are added.
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
    """The damage of a store, the keys of the rows set aside, and the number of unreadable rows."""

    damage: str
    keys: list[str]
    unreadable: int


def prepare(tables: Tables) -> Mended | None:
    """Make the tables of a new store, or add digests to an old one; return None if it is sound."""
    if tables.mark() == MARK:
        return None
    with tables.transaction():
        # Another job may have done so in the meantime.
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
    return Mended(found, keys, unreadable) if found else None


def _copy(reader: Tables, tables: Tables, *, without: Collection[Row]) -> list[str]:
    """Copy rows into the temporary tables, and return the keys of damaged ones."""
    damaged: list[str] = []
    for row in _readable_rows(reader):
        # In a damaged file, a row may appear at the position of another.
        if reader.is_sound(row) and row[:2] not in without and not _is_copied(tables, row[0]):
            table, values = "sound", tables.row(*row[:2])
        else:
            table, values = "unsound", tuple(map(_as_stored, (*row, None)[:3]))
            damaged.append(str(row[0]).encode(errors="replace").decode())
        tables.connection.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", values)
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


def _is_copied(tables: Tables, key: str) -> bool:
    return bool(tables.connection.execute("SELECT 1 FROM sound WHERE key = ?", [key]).fetchall())


def _as_stored(value: Any) -> Any:
    return value.encode(errors="surrogateescape") if isinstance(value, str) else value
