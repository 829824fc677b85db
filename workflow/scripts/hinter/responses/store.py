"""A store of responses, kept between runs, so that no model is asked the same thing twice.

There is one SQLite file per model. Its journal mode also works on network file systems, so any
number of jobs may share it, and a killed job only loses requests in progress. Damaged responses are
never used: they are reported, set aside and requested again.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError
from ..job import warn
from .claims import Claims
from .mending import Mended, mend, prepare
from .tables import Row, Tables, is_damage

KEYS_SHOWN = 20

_SELECT = """
    SELECT key, response, digest FROM responses WHERE key IN (SELECT value FROM json_each(?))
"""


class ResponseStore:
    """The responses of the model with this fingerprint, by the digest of its input."""

    def __init__(self, folder: Path, *, fingerprint: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.fingerprint = folder / f"{fingerprint}.sqlite", fingerprint
        self._checked = False
        with self._reported():
            self._tables = Tables(self.path, fingerprint=fingerprint)
            self._tell(prepare(self._tables))
            self._claims = Claims(self._tables, self.path)

    def __len__(self) -> int:
        """Return the number of responses."""
        with self._reported():
            return int(self._rows("SELECT count(*) FROM responses")[0][0])

    def count_received(self) -> tuple[int, int]:
        """Return how many responses were ever added, and how many are being asked for now.

        One that was damaged and requested again counts twice.
        """
        with self._reported():
            asked = self._claims.in_flight()
            return self._tables.received(), asked

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the known responses by key.

        The whole store is checked once, before any key counts as unknown.
        """
        with self._reported():
            rows = self._rows(_SELECT, json.dumps(list(keys)))
            known = {row[0]: row[1] for row in rows if self._tables.is_sound(row)}
            if len(known) == len(rows) and (self._checked or len(known) == len(set(keys))):
                return known
            self._check()
            rows = self._rows(_SELECT, json.dumps(list(keys)))
            return {row[0]: row[1] for row in rows if self._tables.is_sound(row)}

    def responses(self) -> Iterator[str]:
        """Yield all responses, in the order of their keys."""
        with self._reported():
            yield from (row[1] for row in self._tables.rows())

    def add(self, responses: Mapping[str, str]) -> None:
        """Add all of the responses or none; known responses are not replaced."""
        rows = [self._tables.row(key, response) for key, response in responses.items()]
        with self._reported(), self._tables.transaction():
            added = self._tables.connection.executemany(
                "INSERT OR IGNORE INTO responses VALUES (?, ?, ?)", rows
            )
            self._tables.connection.execute(
                "UPDATE received SET responses = responses + ?", [added.rowcount]
            )
            self._claims.end(list(responses))

    def set_aside(self, responses: Mapping[str, str]) -> None:
        """Set aside responses that cannot be parsed, although their digests are right."""
        with self._reported():
            self._tell(mend(self._tables, without=set(responses.items())))

    @contextmanager
    def claimed(self, keys: Sequence[str]) -> Iterator[set[str]]:
        """Claim the `keys` that only this job is to ask about, and yield them (see `claims`)."""
        with self._reported():
            mine = self._claims.take(keys)
        try:
            yield mine
        finally:
            if mine:
                with self._reported():
                    self._claims.end_all()

    def _rows(self, query: str, *parameters: str) -> list[Row]:
        try:
            return self._tables.connection.execute(query, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._check()
            return self._tables.connection.execute(query, parameters).fetchall()

    def _check(self) -> None:
        self._checked = True
        if self._tables.damage():
            self._tell(mend(self._tables))

    def _tell(self, mended: Mended | None) -> None:
        if mended:
            damage, keys, unreadable = mended
            more = len(keys) - KEYS_SHOWN
            warn(
                "%s is damaged (%s): %d responses are requested again, %d of which cannot be read. "
                "The others are kept in its table damaged, with the keys: %s%s",
                *(self.path, damage, len(keys) + unreadable, unreadable),
                ", ".join(keys[:KEYS_SHOWN]) or "(none)",
                f" and {more} more" if more > 0 else "",
            )

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        # Messages of SQLite may contain bytes of a damaged file.
        except (sqlite3.DatabaseError, UnicodeDecodeError, OSError) as error:
            raise InputError(
                where=str(self.path),
                found=f"a file that cannot be used ({error})",
                expected="a store of responses with space left on its disk",
                fix="Free some space; or replace the file by a copy, or move it away: its "
                "responses are then requested again.",
            ) from None
