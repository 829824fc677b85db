"""The registry of external resources: version, licence, sha256 and sources of each.

A lock lists files with their sha256 in the format of `sha256sum`: one line `<sha256>  <path>` each.
"""

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from ..config import INNER_PATH, Registry, Resource, read_sheet
from ..errors import InputError, no_file
from ..lines import read_text
from ..provenance import sha256_of

LINE = re.compile(f"([0-9a-f]{{64}})  ({INNER_PATH})")
_fault = partial(
    InputError,
    expected="a sha256, two spaces and a path inside the resource, each path once",
    fix="Write the file as `sha256sum` does, or run `make lock`.",
)


def read_registry(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return the registry's entries by name.

    An entry has `version`, `licence`, `about`, `files` and `sources`, which are tried in order.
    `files` has the sha256 of each file. This is a list if sources are known to differ in bytes that
    do not matter, and empty if no sha256 is published. An entry with a `lock` has the files of the
    lock.
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
    return {
        file: [sha256] if isinstance(sha256, str) else sha256 or []
        for file, sha256 in (resource.files or {}).items()
    }


def read_lock(path: Path) -> dict[str, list[str]]:
    """Return the files that the lock at `path` lists, each with its sha256 in a list.

    Raises `InputError` if the lock is missing or empty, lists a path twice, or has a line that is
    not a sha256 and a path inside the resource's folder.
    """
    files: dict[str, list[str]] = {}
    try:
        lines = read_text(path).splitlines()
    except FileNotFoundError:
        fix = "Correct the key 'lock' of its entry in the registry, or run `make lock`."
        raise no_file(path, expected="the lock of a resource", fix=fix) from None
    for number, line in enumerate(lines, start=1):
        match, where = LINE.fullmatch(line), f"{path}, line {number}"
        if match is None:
            raise _fault(where=where, found=repr(line))
        if match[2] in files:
            raise _fault(where=where, found=f"{match[2]} a second time")
        files[match[2]] = [match[1]]
    if not files:
        raise _fault(where=f"{path}, line 1", found="nothing")
    return files


def write_lock(path: Path, *, names: Iterable[str], folder: Path) -> None:
    """Write the lock of the files `names` in `folder` to `path`, sorted by name."""
    lines = [f"{sha256_of(folder / name)}  {name}\n" for name in sorted(names)]
    path.write_text("".join(lines), encoding="utf-8")
