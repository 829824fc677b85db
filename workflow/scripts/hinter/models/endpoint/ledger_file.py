"""The file of a ledger: its tables, and checks that rows are unchanged.

The table of spending has a row per model (its fingerprint), with the number of its answers; that of
reservations has a row per call. Each row has a digest, without which a damaged sum would look like
any other.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ...errors import InputError
from ...provenance import digest_of

WAIT_FOR_OTHERS_S = 120
"""How many seconds a job waits for other jobs that write to the ledger."""

MARK = 0x48496C67
"""The application_id (in SQLite's header) of a ledger whose rows have digests."""

TABLES = [
    """
    create table spent (
        fingerprint text primary key, nano_dollars integer not null, answers integer not null,
        digest text not null
    )
    """,
    """
    create table reserved (
        id integer primary key autoincrement, nano_dollars integer not null, digest text not null
    )
    """,
    f"pragma application_id = {MARK}",
]
DAMAGED = """
select (select count(*) from spent where digest is not digest(fingerprint, nano_dollars, answers))
    + (select count(*) from reserved where digest is not digest(id, nano_dollars))
"""


class LedgerFile:
    """The SQLite file of a ledger, created if need be, and checked for damage.

    It uses SQLite's rollback journal, which works on network file systems. All methods raise
    `InputError` if the file cannot be used or is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self.connection() as connection:
            if _mark(connection) != MARK:
                with _writing(connection):
                    _create(connection)
            _check(connection)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Open the file; the SQL function `digest` gives the digest of its arguments."""
        try:
            # A connection for each entry, as calls come from several threads.
            connection = sqlite3.connect(self.path, timeout=WAIT_FOR_OTHERS_S, isolation_level=None)
            with closing(connection):
                connection.create_function(
                    "digest", -1, lambda *values: digest_of(values=values), deterministic=True
                )
                yield connection
        # Messages of SQLite may contain bytes of a damaged file.
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise InputError(
                where=f"budget ({self.path})",
                found=f"a file that cannot be used ({error})",
                expected="an SQLite file that this job can write, as it was last written",
                fix="Free the file or the disk, replace the file by a copy, or move it away to "
                "begin a new account, which does not know what was spent.",
            ) from None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open the file and write everything in the block or nothing, while no other job writes."""
        with self.connection() as connection, _writing(connection):
            yield connection


@contextmanager
def _writing(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("begin immediate")
    with connection:
        yield


def _mark(connection: sqlite3.Connection) -> int:
    return int(connection.execute("pragma application_id").fetchone()[0])


def _create(connection: sqlite3.Connection) -> None:
    # Another job may have done so in the meantime.
    if _mark(connection) == MARK:
        return
    ((tables,),) = connection.execute("select count(*) from sqlite_master")
    if tables or _mark(connection):
        raise sqlite3.DatabaseError("not a ledger")
    for statement in TABLES:
        connection.execute(statement)


def _check(connection: sqlite3.Connection) -> None:
    (found,) = connection.execute("pragma integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(" ".join(found.split()))
    (damaged,) = connection.execute(DAMAGED).fetchone()
    if damaged:
        raise sqlite3.DatabaseError(f"{damaged} rows and their digests do not agree")
