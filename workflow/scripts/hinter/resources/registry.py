"""The registry of external resources: version, licence, sha256 and sources of each."""

from pathlib import Path
from typing import Any

from ..sheets import read_sheet


def read_registry(path: str | Path, *, schema: str | Path) -> dict[str, dict[str, Any]]:
    """Return the registry's entries by name.

    An entry has `version`, `licence`, `about`, `files` (the sha256 of each file; a list where
    sources are known to differ in bytes that do not matter, empty where none is published) and
    `sources`, tried in order.
    """
    return {
        name: entry | {"files": {file: _listed(sha256) for file, sha256 in entry["files"].items()}}
        for name, entry in read_sheet(path, schema=schema).items()
    }


def _listed(sha256: str | list[str] | None) -> list[str]:
    return [sha256] if isinstance(sha256, str) else sha256 or []
