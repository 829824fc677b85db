"""Check that paths, resources and names of a configuration are known, and disks usable."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from ..errors import InputError
from ..locations import files_at

REGISTRY = "data/registry.yaml"


def check_path(path: Path, *, where: str) -> None:
    """Raise `InputError` unless a file or folder is at `path`, or matches it as a pattern."""
    if not files_at(str(path)):
        raise InputError(
            where=where,
            found=f"nothing at {path}",
            expected="a file or folder",
            fix="Correct the path; it is relative to the folder you run in.",
        )


def check_place(
    resource: str | None, folder: str | None, *, where: str, registry: Mapping[str, Any]
) -> None:
    """Raise `InputError` unless either a `resource` or a `folder` is named, and exists."""
    if resource and folder:
        raise InputError(
            where=where,
            found=f"both the resource '{resource}' and the folder '{folder}'",
            expected="one of them",
            fix="Remove the wrong one.",
        )
    if resource:
        check_known(resource, among=registry, where=f"{where}, key 'resource'", sheet=REGISTRY)
    elif not folder:
        raise InputError(
            where=where,
            found="neither 'resource' nor 'folder'",
            expected="one of them",
            fix=f"Name a resource of {REGISTRY}, or a folder of yours.",
        )
    else:
        check_path(Path(folder), where=f"{where}, key 'folder'")


def check_file(name: str, *, among: Collection[str], where: str) -> None:
    """Raise `InputError` if a folder or resource has no such file."""
    if name not in among:
        raise InputError(
            where=where,
            found=f"'{name}'",
            expected=f"one of its files: {', '.join(sorted(among)) or 'none'}"[:300],
            fix="Correct the name.",
        )


def check_known(
    name: str, *, among: Sequence[str] | Mapping[str, Any], where: str, sheet: str
) -> None:
    """Raise `InputError` for a name that is not in the sheet."""
    if name not in among:
        raise InputError(
            where=where,
            found=f"'{name}'",
            expected=f"one of {', '.join(among)}",
            fix=f"Correct the name, or describe it in {sheet}.",
        )


_OF_NFS = frozenset({"nolock", "local_lock=all", "local_lock=flock", "local_lock=posix"})
_WITH_LOCAL_LOCKS = {
    "nfs": _OF_NFS,
    "nfs4": _OF_NFS,
    "cifs": frozenset({"nobrl"}),
    "smb3": frozenset({"nobrl"}),
    "lustre": frozenset({"localflock", "noflock"}),
    # With any options.
    "fuse.sshfs": frozenset({"rw"}),
}
"""The mount options with which locks are only seen on one machine, by type of file system."""


def check_writable(folders: Iterable[str]) -> None:
    """Raise `InputError` for a folder that exists but is not writable."""
    for folder in folders:
        if Path(folder).exists() and not os.access(folder, os.W_OK):
            raise InputError(
                where=folder,
                found="a folder that you may not write to",
                expected="one that the study can write its results to",
                fix="Correct its permissions or how its disk is mounted, or run in another folder.",
            )


def warnings_of_locks(folders: Iterable[str]) -> Iterator[str]:
    """Yield a warning for each folder on a disk whose locks are only seen on one machine.

    Jobs share stores and rely on locks: those of SQLite, and those of claims. Sources: nfs(5),
    mount.cifs(8) and mount.lustre(8).
    """
    mounts = {mount.mountpoint: mount for mount in psutil.disk_partitions(all=True)}
    for folder in folders:
        path = Path(folder).resolve()
        places = [str(place) for place in (path, *path.parents)]
        for mount in [mounts[place] for place in places if place in mounts][:1]:
            options = _WITH_LOCAL_LOCKS.get(mount.fstype, frozenset())
            if found := sorted(options.intersection(mount.opts.split(","))):
                yield (
                    f"{folder} is on {mount.mountpoint} ({mount.fstype}, mounted with "
                    f"{', '.join(found)}), where only one machine sees its locks: jobs on several "
                    "machines could damage it. Run on one machine, or name another `store`."
                )
