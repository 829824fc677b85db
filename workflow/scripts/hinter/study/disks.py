"""What the disks of a study must allow: to be written to, and locks that all machines see."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from ..errors import InputError

_OF_NFS = frozenset({"nolock", "local_lock=all", "local_lock=flock", "local_lock=posix"})
_WITH_LOCAL_LOCKS = {
    "nfs": _OF_NFS,
    "nfs4": _OF_NFS,
    "cifs": frozenset({"nobrl"}),
    "smb3": frozenset({"nobrl"}),
    "lustre": frozenset({"localflock", "noflock"}),
    # However it is mounted.
    "fuse.sshfs": frozenset({"rw"}),
}
"""The options with which a lock is seen on one machine alone, by type of file system."""


def check_writable(folders: Iterable[str]) -> None:
    """Raise `InputError` for a folder that exists and may not be written to."""
    for folder in folders:
        if Path(folder).exists() and not os.access(folder, os.W_OK):
            raise InputError(
                where=folder,
                found="a folder that you may not write to",
                expected="one that the study can write its results to",
                fix="Correct its permissions or how its disk is mounted, or run in another folder.",
            )


def warnings_of_locks(folders: Iterable[str]) -> Iterator[str]:
    """Yield a warning for each folder on a disk whose locks are seen on one machine alone.

    Stores are shared by jobs, which rely on locks: SQLite's, and those of claims. Sources: nfs(5),
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
                    f"{folder} lies on {mount.mountpoint} ({mount.fstype}, mounted with "
                    f"{', '.join(found)}), where locks hold on one machine alone: jobs on several "
                    "machines could damage it. Run on one machine, or name another `store`."
                )
