"""Checks on sentences, stored between runs, so that only new sentences are parsed.

There is one entry per text, in a folder named after everything that decides a check: parser,
comparator and the code that compares. Entries are replaced as a whole, so any number of jobs may
share a store: at worst, two jobs that work on one text at the same time parse the same sentences.
Annotations are stored in entries of the same kind.
"""

import hashlib
import logging
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from ..provenance import code_digest
from .comparators import DIGEST_SIZE, Change, Comparator, Reason
from .parsing import Parser

CHECKING_CODE = "hinter/invariant/sentence_checks.py"
"""The module whose code, with all its imports, decides a check."""

Kept = TypeVar("Kept")


class CheckStore:
    """The checks of one parser and comparator, below `folder`, which is its `root`."""

    def __init__(self, folder: Path, *, parser: Parser, comparator: Comparator) -> None:
        self.root = folder
        code = code_digest(CHECKING_CODE)
        self._folder = folder / parser.fingerprint / f"{comparator}-{code}"
        others = [path.name for path in self._folder.parent.glob(f"{comparator}-*")]
        if others and not self._folder.exists():
            logging.info(
                "the checks in %s were made by other code (%s): sentences are parsed again",
                self._folder.parent,
                ", ".join(sorted(others)),
            )

    def entry(self, text: str) -> "StoredChecks":
        """Return the entry of a text, which is empty if there is none or a damaged one."""
        return StoredChecks(path_of_entry(self._folder, text, ending="checks"))


class StoredChecks:
    """The checks on the changes of one text."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = read_entry(path, _decoded) or {}
        self._changed = False

    def __len__(self) -> int:
        """Return the number of changes with a known check."""
        return len(self._known)

    def get(self, change: Change) -> Reason | None:
        """Return the check on `change`, or None if it is unknown."""
        return self._known.get(change.digest)

    def add(self, change: Change, reason: Reason) -> None:
        """Add the check on `change`, to be written by `save`."""
        self._known[change.digest] = reason
        self._changed = True

    def save(self) -> None:
        """Write the entry if it has new checks, with those that other jobs have added meanwhile."""
        if self._changed:
            added = read_entry(self._path, _decoded) or {}
            checks = (added | self._known).items()
            rows = b"".join(digest + bytes([reason]) for digest, reason in checks)
            write_entry(self._path, rows)
            self._changed = False


def _decoded(rows: bytes) -> dict[bytes, Reason]:
    """Return the checks in an entry: for each change its digest and a code."""
    return {
        rows[start : start + DIGEST_SIZE]: Reason(rows[start + DIGEST_SIZE])
        for start in range(0, len(rows), DIGEST_SIZE + 1)
    }


def path_of_entry(folder: Path, text: str, *, ending: str) -> Path:
    """Return the path of a text's entry in a store."""
    name = hashlib.sha256(text.encode()).hexdigest()
    return folder / name[:2] / f"{name[2:32]}.{ending}"


def read_entry(path: Path, decode: Callable[[bytes], Kept]) -> Kept | None:
    """Return an entry decoded by `decode`, or None if there is none.

    A damaged entry is dropped.
    """
    try:
        return decode(zlib.decompress(path.read_bytes()))
    except FileNotFoundError:
        return None
    except zlib.error:
        logging.warning("dropped the damaged entry %s of a store", path)
        path.unlink(missing_ok=True)
        return None


def write_entry(path: Path, content: bytes) -> None:
    """Write the content, compressed with a checksum, to `path`, replacing any other as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        partial.write_bytes(zlib.compress(content))
    # On a full disk, a partial entry would take space that others need.
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    partial.replace(path)
