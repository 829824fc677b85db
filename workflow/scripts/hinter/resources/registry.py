"""The registry of external resources: version, licence, sha256 and sources of each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..sheets import read_sheet
from .locks import read_lock


def read_registry(path: str | Path, *, schema: str | Path) -> dict[str, dict[str, Any]]:
    """Return the registry's entries by name.

    An entry has `version`, `licence`, `about`, `files` (the sha256 of each file; a list where
    sources are known to differ in bytes that do not matter, empty where none is published) and
    `sources`, tried in order. The files of an entry with a `lock` are those of the lock.
    """
    folder = Path(path).parent
    return {
        name: entry | {"files": _files(entry, folder=folder)}
        for name, entry in read_sheet(path, schema=schema).items()
    }


def _files(entry: Mapping[str, Any], *, folder: Path) -> dict[str, list[str]]:
    if "lock" in entry:
        return read_lock(folder / entry["lock"])
    return {file: _listed(sha256) for file, sha256 in entry["files"].items()}


def _listed(sha256: str | list[str] | None) -> list[str]:
    return [sha256] if isinstance(sha256, str) else sha256 or []
