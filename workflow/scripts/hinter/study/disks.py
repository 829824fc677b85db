"""Check that the disks of a study are writable, and that all machines see their locks."""

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
