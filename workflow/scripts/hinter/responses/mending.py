"""Stores of responses opened and mended: what is sound in a table is copied into a new one.

A store is mended in one transaction, whoever else uses it, and no row is lost: those that are not
sound move to the table `damaged`. A store whose rows have no digests yet is taken over in the same
way; its rows are given the digests of what they hold.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

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


def open_tables(path: Path, *, fingerprint: str) -> Tables:
    """Return the tables of a store, made where there are none, with digests in any case."""
    tables = Tables(path, fingerprint=fingerprint)
    if tables.mark() != MARK:
        with tables.transaction():
            # Another job may have been first.
            if tables.mark() != MARK:
                _take_over(tables)
    return tables


def mend(tables: Tables, *, without: Collection[str] = ()) -> tuple[list[str], int]:
    """Set aside the rows that are not sound, and those with the keys `without`.

    Returns their keys, and how many more rows there were that cannot be read. Where there are such,
    or SQLite finds disorder, the former table is kept under another name: to drop it could free
    what is not its own.
    """
    with tables.transaction():
        disorder, damaged = _renew(tables, without=without)
        unreadable = tables.unaccounted()
        names = tables.connection.execute(TABLE_NAMES).fetchall()
        kept = f"ALTER TABLE former RENAME TO unreadable_{len(names)}"
        tables.run([kept if disorder or unreadable else "DROP TABLE former"])
        tables.note_received()
        if disorder := tables.disorder():
            raise sqlite3.DatabaseError(disorder)
    return damaged, max(unreadable, 0)


def _take_over(tables: Tables) -> None:
    names = {name for (name,) in tables.connection.execute(TABLE_NAMES)}
    if tables.mark() or names - {"responses"}:
        raise sqlite3.DatabaseError("not a store of responses")
    tables.run(OTHERS)
    if names:
        _renew(tables, without=())
        tables.run(["DROP TABLE former"])
    else:
        tables.run(RESPONSES)
    tables.note_received()


def _renew(tables: Tables, *, without: Collection[str]) -> tuple[str | None, list[str]]:
    """Put a new table with the sound rows in the place of the one that is now named `former`.

    Returns what SQLite finds wrong with that, and the keys of its other rows.
    """
    tables.run(COPIES)
    # Once SQLite has met damage, it lets that connection write nothing more in a transaction.
    with closing(tables.reader()) as reader:
        disorder = reader.disorder()
        damaged = _copy(reader, tables, without=without)
    tables.run(REPLACE)
    return disorder, damaged


def _copy(reader: Tables, tables: Tables, *, without: Collection[str]) -> list[str]:
    """Copy rows into the temporary tables, and return the keys of those that are not sound."""
    damaged: list[str] = []
    for row in _readable_rows(reader):
        # In a damaged file one row may be seen in the place of another.
        if reader.is_sound(row) and row[0] not in without and not _is_copied(tables, row[0]):
            table, values = "sound", tables.row(*row[:2])
        else:
            table, values = "unsound", tuple(map(_as_stored, (*row, None)[:3]))
            damaged.append(str(row[0]).encode(errors="replace").decode())
        tables.connection.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", values)
    return damaged


def _readable_rows(reader: Tables) -> Iterator[Row]:
    """Yield the rows before one that cannot be read, and from the last row back to such a one."""
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
