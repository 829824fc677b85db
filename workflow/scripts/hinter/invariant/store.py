"""Verdicts on sentences, kept from run to run, so that only new sentences are parsed.

One entry per text, in a folder named after all that decides a verdict: parser, comparator and the
code that compares. Entries take their place whole, so any number of jobs may share a store: at
worst one of two jobs that work on the same text at the same moment parses again what the other has.
"""

import hashlib
import logging
from pathlib import Path
from uuid import uuid4

from ..provenance import code_digest
from .changes import DIGEST_SIZE, Change
from .comparators import Comparator
from .parsing import Parser
from .reasons import Reason

JUDGING_CODE = "hinter/invariant/settings.py"
"""The module behind whose imports stands all that decides a verdict."""


class VerdictStore:
    """The verdicts of one parser and comparator, below `folder`."""

    def __init__(self, folder: Path, *, parser: Parser, comparator: Comparator) -> None:
        self._root, self._parser = folder, parser
        code = code_digest(JUDGING_CODE)
        self._folder = folder / parser.fingerprint / f"{comparator}-{code}"

    def of_comparator(self, comparator: Comparator) -> "VerdictStore":
        """Return the store beside this one that holds another comparator's verdicts."""
        return VerdictStore(self._root, parser=self._parser, comparator=comparator)

    def entry(self, text: str) -> "StoredVerdicts":
        """Return the entry of a text, empty where there is none or a damaged one."""
        name = hashlib.sha256(text.encode()).hexdigest()
        return StoredVerdicts(self._folder / name[:2] / f"{name[2:32]}.verdicts")


class StoredVerdicts:
    """The verdicts on the changes of one text."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)
        self._changed = False

    def __len__(self) -> int:
        """Return the number of changes with a known verdict."""
        return len(self._known)

    def get(self, change: Change) -> Reason | None:
        """Return the verdict on `change`, None where it is not known."""
        return self._known.get(change.digest)

    def add(self, change: Change, reason: Reason) -> None:
        """Note the verdict on `change`."""
        self._known[change.digest] = reason
        self._changed = True

    def save(self) -> None:
        """Write the entry, with what other jobs have added meanwhile, if there is anything new."""
        if self._changed:
            _write(self._path, _read(self._path) | self._known)
            self._changed = False


def _read(path: Path) -> dict[bytes, Reason]:
    """Return the verdicts in an entry: after a checksum, rows of a change's digest and a code."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return {}
    checksum, rows = content[:DIGEST_SIZE], content[DIGEST_SIZE:]
    if checksum != _checksum(rows):
        logging.warning("dropped the damaged entry %s of the verdict store", path)
        path.unlink(missing_ok=True)
        return {}
    return {
        rows[start : start + DIGEST_SIZE]: Reason(rows[start + DIGEST_SIZE])
        for start in range(0, len(rows), DIGEST_SIZE + 1)
    }


def _write(path: Path, verdicts: dict[bytes, Reason]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = b"".join(digest + bytes([reason]) for digest, reason in verdicts.items())
    partial = path.with_name(f"{uuid4().hex}.partial")
    partial.write_bytes(_checksum(rows) + rows)
    partial.replace(path)


def _checksum(rows: bytes) -> bytes:
    return hashlib.blake2b(rows, digest_size=DIGEST_SIZE).digest()
