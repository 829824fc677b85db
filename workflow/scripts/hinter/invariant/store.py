"""Verdicts on sentences, kept from run to run, so that only new sentences are parsed.

One entry per text, in a folder named after all that decides a verdict: parser, comparator and the
code that compares. Entries take their place whole, so any number of jobs may share a store: at
worst one of two jobs that work on the same text at the same moment parses again what the other has.
"""

import hashlib
import logging
from pathlib import Path
from uuid import uuid4
from zipfile import BadZipFile

import numpy as np

from ..provenance import code_digest
from .changes import Change
from .comparators import Comparator
from .parsing import Parser
from .reasons import Reason

DIGEST_SIZE = 16
JUDGING_CODE = "hinter/invariant/judging.py"


class VerdictStore:
    """The verdicts of one parser and comparator, below `folder`."""

    def __init__(self, folder: Path, *, parser: Parser, comparator: Comparator) -> None:
        code = code_digest(JUDGING_CODE)
        self._folder = folder / parser.fingerprint / f"{comparator}-{code}"

    def entry(self, text: str) -> "StoredVerdicts":
        """Return the entry of a text, empty where there is none or a damaged one."""
        name = hashlib.sha256(text.encode()).hexdigest()
        return StoredVerdicts(self._folder / name[:2] / f"{name[2:32]}.npz")


class StoredVerdicts:
    """The verdicts on the changes of one text."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)
        self._changed = False

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
    try:
        with np.load(path, allow_pickle=False) as arrays:
            digests, reasons = arrays["digests"], arrays["reasons"]
        if digests.shape != (len(reasons), DIGEST_SIZE) or digests.dtype != np.uint8:
            raise ValueError(f"digests of shape {digests.shape} for {len(reasons)} verdicts")
        return {
            digest.tobytes(): Reason(reason)
            for digest, reason in zip(digests, reasons.tolist(), strict=True)
        }
    except FileNotFoundError:
        return {}
    # The archive checks its own sums; what is cut or overwritten shows in one of these ways.
    except (BadZipFile, ValueError, KeyError, EOFError, OSError, NotImplementedError) as error:
        logging.warning("dropped the damaged entry %s of the verdict store: %s", path, error)
        path.unlink(missing_ok=True)
        return {}


def _write(path: Path, verdicts: dict[bytes, Reason]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    digests = np.frombuffer(b"".join(verdicts), dtype=np.uint8).reshape(-1, DIGEST_SIZE)
    reasons = np.fromiter(verdicts.values(), dtype=np.uint8, count=len(verdicts))
    partial = path.with_name(f"{uuid4().hex}.partial")
    with partial.open("wb") as file:
        np.savez(file, digests=digests, reasons=reasons)
    partial.replace(path)
