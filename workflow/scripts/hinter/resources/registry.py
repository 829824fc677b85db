"""The registry of external resources: version, licence, sha256 and sources of each."""

from pathlib import Path
from typing import Any

from ..config import Registry, Resource, read_sheet
from .locks import read_lock


def read_registry(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return the registry's entries by name.

    An entry has `version`, `licence`, `about`, `files` (the sha256 of each file; a list where
    sources are known to differ in bytes that do not matter, empty where none is published) and
    `sources`, tried in order. The files of an entry with a `lock` are those of the lock.
    """
    folder = Path(path).parent
    return {
        name: {
            **resource.model_dump(),
            "files": _files(resource, folder=folder),
            "sources": [source.model_dump(exclude_none=True) for source in resource.sources],
        }
        for name, resource in read_sheet(path, Registry).root.items()
    }


def _files(resource: Resource, *, folder: Path) -> dict[str, list[str]]:
    if resource.lock is not None:
        return read_lock(folder / resource.lock)
    return {file: _listed(sha256) for file, sha256 in (resource.files or {}).items()}


def _listed(sha256: str | list[str] | None) -> list[str]:
    return [sha256] if isinstance(sha256, str) else sha256 or []
