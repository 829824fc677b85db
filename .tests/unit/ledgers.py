"""Ledgers of an earlier form."""

import sqlite3
from contextlib import closing
from pathlib import Path


def write_earlier_ledger(path: Path) -> None:
    """Write a ledger with 700 nano-dollars spent and 40 reserved."""
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("""
            create table spent (nano_dollars integer not null);
            create table reserved (id integer primary key autoincrement, nano_dollars integer);
            insert into spent values (700);
            insert into reserved (nano_dollars) values (30), (40);
            delete from reserved where nano_dollars = 30;
        """)
