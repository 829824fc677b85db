"""Entries of stores, a file for each text, which is written as a whole or not at all."""

import hashlib
import logging
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

Kept = TypeVar("Kept")


def path_of_entry(folder: Path, text: str, *, ending: str) -> Path:
    """Return the path of a text's entry in a store."""
    name = hashlib.sha256(text.encode()).hexdigest()
    return folder / name[:2] / f"{name[2:32]}.{ending}"


def read_entry(path: Path, decode: Callable[[bytes], Kept]) -> Kept | None:
    """Return an entry decoded by `decode`, or None if there is none.

    A damaged entry, for which `decode` raises `ValueError` or `zlib.error`, is dropped.
    """
    try:
        return decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, zlib.error):
        logging.warning("dropped the damaged entry %s of a store", path)
        path.unlink(missing_ok=True)
        return None


def write_entry(path: Path, content: bytes) -> None:
    """Write a file with this content to `path`, replacing any other as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        partial.write_bytes(content)
    # On a full disk, a partial entry would take space that others need.
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    partial.replace(path)
