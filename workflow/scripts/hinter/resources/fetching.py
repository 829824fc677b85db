"""Fetch one resource: sources in order, every file verified, nothing half-done kept."""

import logging
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import InputError
from .kinds import KINDS
from .kinds.archive import lock_name
from .locks import read_lock, sha256_of

# Messages count more.
MOST_NAMED = 8


def fetch_resource(*, name: str, entry: Mapping[str, Any], folder: Path) -> None:
    """Bring all files of the registry's `entry` into `folder`, from the first source that works.

    Files arrive in a temporary folder beside `folder` and take their place together, once the
    sha256 of each is what the registry says. A folder that holds them all is left as it is. An
    archive whose own sha256 the registry has may bring other files, which are then verified by
    the list that was made of them. Raises `InputError` when every source failed.
    """
    files = entry["files"]
    if folder.is_dir() and any(
        _difference(source, files=files, folder=folder) is None for source in entry["sources"]
    ):
        logging.info("resource %s is here already", name)
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    failures = []
    for source in entry["sources"]:
        with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as partial:
            failure = _attempt(source=source, files=files, folder=Path(partial))
            if failure is None:
                shutil.rmtree(folder, ignore_errors=True)
                names = _expected(source, files=files, folder=Path(partial))
                _take_place(Path(partial), names=names, folder=folder)
                logging.info("resource %s came from %s", name, describe_source(source))
                return
        failures.append(f"{describe_source(source)}: {failure}")
        logging.warning("resource %s, source %s", name, failures[-1])
    raise InputError(
        where=f"resource {name} (data/registry.yaml)",
        found="; ".join(failures),
        expected=f"one source that gives {_in_short(files)} with the registry's sha256",
        fix="Connect to the network (gated repositories need HF_TOKEN in the environment) and run "
        f"`snakemake resources`, or put the files into {folder} yourself.",
    )


def describe_source(source: Mapping[str, str]) -> str:
    """Return `source` in a few words, as messages name it."""
    return " ".join(value for key, value in source.items() if key not in ("prefix", "sha256"))


def _attempt(
    *, source: Mapping[str, str], files: Mapping[str, list[str]], folder: Path
) -> str | None:
    try:
        KINDS[source["kind"]](source, list(files), folder)
    # Every client library has an exception family of its own; the next source is tried whatever it
    # was.
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
    return _difference(source, files=files, folder=folder)


def _expected(
    source: Mapping[str, str], *, files: Mapping[str, list[str]], folder: Path
) -> Mapping[str, list[str]]:
    """Return the files that `source` brings: the registry's, or those of its verified archive."""
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


def _take_place(partial: Path, *, names: Iterable[str], folder: Path) -> None:
    keep = partial / ".complete"
    for name in names:
        target = keep / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (partial / name).rename(target)
    keep.rename(folder)
