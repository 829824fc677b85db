"""Fetch one resource: try its sources in order, verify every file, keep nothing incomplete."""

import logging
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import InputError
from ..provenance import sha256_of
from .archives import fetch_archive, fetch_wheel, lock_name, take
from .bounds import within_bounds
from .downloads import fetch_https, fetch_hub, fetch_maven
from .registry import read_lock

# If there are more files, messages give only their number.
MOST_NAMED = 8
# The sizes in the registry are approximate.
SLACK = 2
KINDS: dict[str, Callable[[Mapping[str, str], Sequence[str], Path], None]] = {
    "archive": fetch_archive,
    "https": fetch_https,
    "hub": fetch_hub,
    "maven": fetch_maven,
    "wheel": fetch_wheel,
}
"""The function that fetches the named files of a source into a folder, by the source's kind."""


def fetch_resource(*, name: str, entry: Mapping[str, Any], folder: Path) -> None:
    """Fetch all files of the registry's `entry` into `folder`, from the first source that works.

    Files are fetched into a temporary folder next to `folder`. They are moved together, once the
    sha256 of each has been verified by the registry. A folder that is already complete is not
    changed. An archive with its own sha256 may contain other files; these are then verified by
    a list that is written from the archive. A source fails if it takes far more disk space than the
    registry says, or if almost no data arrives. Raises `InputError` when every source has failed.
    """
    files = entry["files"]
    if _is_whole(folder, entry=entry):
        logging.info("resource %s is already here", name)
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    failures = []
    for source in entry["sources"]:
        with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
            arrived = Path(scratch)
            failure = _attempt(source, entry=entry, folder=arrived)
            if failure is None:
                names = _expected(source, files=files, folder=arrived)
                _take_place(arrived, names=names, folder=folder, entry=entry)
                logging.info("resource %s came from %s", name, describe_source(source))
                return
        failures.append(f"{describe_source(source)}: {failure}")
        logging.warning("resource %s, source %s", name, failures[-1])
    raise InputError(
        where=f"resource {name} (data/registry.yaml)",
        found="; ".join(failures),
        expected=f"one source that provides {_in_short(files)} with the registry's sha256",
        fix="Connect to the network (gated repositories need HF_TOKEN in the environment) and run "
        f"`snakemake resources`, or put the files into {folder} yourself.",
    )


def describe_source(source: Mapping[str, str]) -> str:
    """Return the name of `source` in messages."""
    apart = ("prefix", "sha256", "megabytes")
    return " ".join(value for key, value in source.items() if key not in apart)


def _is_whole(folder: Path, *, entry: Mapping[str, Any]) -> bool:
    differences = (
        _difference(source, files=entry["files"], folder=folder) for source in entry["sources"]
    )
    return folder.is_dir() and None in differences


def _attempt(source: Mapping[str, Any], *, entry: Mapping[str, Any], folder: Path) -> str | None:
    files, kept = entry["files"], entry["megabytes"]
    # Pip has two copies of an archive for a short time.
    archive = 2 * source.get("megabytes", kept) if source["kind"] in ("archive", "wheel") else 0
    failure = within_bounds(
        partial(KINDS[source["kind"]], source, list(files), folder),
        folder=folder,
        most_bytes=SLACK * (kept + archive) * 1_000_000,
    )
    return failure or _difference(source, files=files, folder=folder)


def _expected(
    source: Mapping[str, str], *, files: Mapping[str, list[str]], folder: Path
) -> Mapping[str, list[str]]:
    """Return the files that `source` provides: the registry's, or those of its verified archive."""
    if "sha256" not in source or not (folder / lock_name(source)).is_file():
        return files
    return read_lock(folder / lock_name(source)) | {lock_name(source): []}


def _difference(
    source: Mapping[str, str], *, files: Mapping[str, list[str]], folder: Path
) -> str | None:
    for file, accepted in _expected(source, files=files, folder=folder).items():
        if not (folder / file).is_file():
            return f"no file {file}"
        found = sha256_of(folder / file)
        if accepted and found not in accepted:
            return f"wrong sha256 of {file}: found {found}, expected {' or '.join(accepted)}"
    return None


def _in_short(names: Collection[str]) -> str:
    return ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} files"


def _take_place(
    arrived: Path, *, names: Iterable[str], folder: Path, entry: Mapping[str, Any]
) -> None:
    keep = arrived / ".complete"
    take(names, content=arrived, folder=keep)
    try:
        keep.rename(folder)
    # The folder exists: it has damaged files, or those that another study has just fetched.
    except OSError:
        if not _is_whole(folder, entry=entry):
            shutil.rmtree(folder, ignore_errors=True)
            keep.rename(folder)
