"""A store of responses, kept between runs, so that no model is asked the same thing twice.

What is asked is not in the store, and no other job is asking for it at the same time.

There is one SQLite file per model. Its journal mode also works on network file systems, so any
number of jobs may share it, and a killed job only loses requests in progress. Damaged responses are
never used: they are reported, set aside and requested again. Files of results say which model, with
which libraries, gave their answers.
"""

import json
import logging
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from time import sleep
from typing import Any, Generic, NamedTuple, TypeVar

import pyarrow.parquet as pq

from ..errors import InputError
from ..job import warn
from .claims import Claims
from .tables import Mended, Row, Tables, is_damage, mend, prepare

KEYS_SHOWN = 20

LIBRARIES = ("torch", "transformers")
"""The libraries that run local models; jobs of endpoints need none of them."""
POLL_S = 0.5
"""Seconds between checks for answers that other jobs have asked for."""

Meaning = TypeVar("Meaning")

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
            prepare(self._tables)
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


class Source(NamedTuple):
    """The fingerprint of a model, and the versions of libraries by name."""

    fingerprint: str
    libraries: Mapping[str, str]


def source_metadata(fingerprint: str) -> dict[str, str]:
    """Return the metadata of a Parquet file with answers of the model with this fingerprint."""
    libraries = {name: version(name) for name in LIBRARIES if find_spec(name)}
    return {"fingerprint": fingerprint, "libraries": json.dumps(libraries)}


def read_source(path: Path) -> Source | None:
    """Return the origin of the answers in a Parquet file, or None if the file does not say."""
    metadata = pq.read_schema(path).metadata or {}
    if b"fingerprint" not in metadata:
        return None
    return Source(metadata[b"fingerprint"].decode(), json.loads(metadata[b"libraries"]))


@dataclass(frozen=True)
class Asker(Generic[Meaning]):
    """Something that answers texts, such as a model (`Model`), and the store of its responses.

    It has the methods `responses` and `read` of a model; a response means a `Meaning`.

    `counts` has the number of texts whose response was `known`, and the number that were `asked`
    and answered.
    """

    asked: Any
    store: ResponseStore
    counts: Counter[str] = field(default_factory=Counter)

    def ask(
        self, texts: Mapping[str, str], *, advance: Callable[[int], object]
    ) -> dict[str, Meaning]:
        """Return the meaning of the response to each text, by the text's key in the store.

        Only texts that are not in the store are asked. If another job is asking some of them, this
        one waits. `advance` is called with the number of responses that have reached the store.
        Texts without a response are left out.
        """
        found: dict[str, Meaning] = {}
        missing, waits = dict(texts), False
        while missing:
            known = self._known(list(missing))
            found |= known
            self.counts["known"] += len(known)
            advance(len(known))
            missing = {key: text for key, text in missing.items() if key not in known}
            with self.store.claimed(list(missing)) as claimed:
                mine = {key: text for key, text in missing.items() if key in claimed}
                for responses in self._answers(mine):
                    found |= {key: self.asked.read(text) for key, text in responses.items()}
                    self.counts["asked"] += len(responses)
                    advance(len(responses))
            missing = {key: text for key, text in missing.items() if key not in mine}
            if missing and not mine:
                if not waits:
                    logging.info(
                        "waiting for %d responses that another job is asking for", len(missing)
                    )
                waits = True
                sleep(POLL_S)
        return found

    def ask_each(
        self, texts: Sequence[tuple[str, str]], *, advance: Callable[[int], object]
    ) -> list[Meaning]:
        """Return the meaning of the response to each text, given with its key in the store.

        Texts with equal keys are asked about once.
        """
        distinct = dict(texts)
        advance(len(texts) - len(distinct))
        found = self.ask(distinct, advance=advance)
        return [found[key] for key, _ in texts]

    def _known(self, keys: Sequence[str]) -> dict[str, Meaning]:
        """Return the meaning of the known responses, and set aside those that have none."""
        known: dict[str, Meaning] = {}
        senseless: dict[str, str] = {}
        for key, response in self.store.get(keys).items():
            try:
                known[key] = self.asked.read(response)
            except (ValueError, LookupError, TypeError):
                senseless[key] = response
        if senseless:
            self.store.set_aside(senseless)
        return known

    def _answers(self, texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield responses by key, once they are in the store."""
        keys = list(texts)
        for part in self.asked.responses(list(texts.values())) if texts else ():
            new = {keys[position]: response for position, response in part}
            self.store.add(new)
            # Another job may have been first: use the response that is in the store.
            yield self.store.get(list(new))
