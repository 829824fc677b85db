"""Disks that cannot be written to are refused, those without locks for several machines told of."""

import subprocess
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest
from hinter.errors import InputError
from hinter.study import check_writable, warnings_of_locks


class Mount(NamedTuple):
    """A mounted disk, as psutil tells of it."""

    device: str
    mountpoint: str
    fstype: str
    opts: str


MOUNTS = [
    Mount("/dev/sda", "/", "ext4", "rw,relatime"),
    Mount("server:/sound", "/sound", "nfs4", "rw,vers=4.2,hard,local_lock=none"),
    Mount("server:/old", "/old", "nfs", "rw,vers=3,nolock,local_lock=all"),
    Mount("//server/office", "/old/office", "cifs", "rw,nobrl"),
    Mount("tmpfs", "/old/memory", "tmpfs", "rw,nolock"),
    Mount("me@server:", "/over", "fuse.sshfs", "rw,nosuid"),
    Mount("mgs:/scratch", "/scratch", "lustre", "rw,flock"),
    Mount("mgs:/scratch", "/local", "lustre", "rw,localflock"),
]


def test_a_folder_on_a_disk_that_is_only_read_is_refused(disk: Path) -> None:
    folders = [str(disk), str(disk / "not yet there")]
    check_writable(folders)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    with pytest.raises(InputError, match="found a folder that you may not write to"):
        check_writable(folders)


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("/home/store", None),
        ("/sound/store", None),
        ("/old/store", "/old/store is on /old (nfs, mounted with local_lock=all, nolock)"),
        ("/old/office/store", "is on /old/office (cifs, mounted with nobrl)"),
        ("/old/memory/store", None),
        ("/over/store", "is on /over (fuse.sshfs, mounted with rw)"),
        ("/scratch", None),
        ("/local", "is on /local (lustre, mounted with localflock)"),
    ],
)
def test_a_disk_whose_locks_hold_on_one_machine_alone_is_told_of(
    folder: str, told: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psutil, "disk_partitions", lambda **_: MOUNTS)
    warnings = list(warnings_of_locks([folder]))
    assert len(warnings) == (told is not None)
    assert all(str(told) in warning and "another `store`" in warning for warning in warnings)


def test_the_disks_of_this_machine_are_known(tmp_path: Path) -> None:
    assert {"/", "/proc"} & {mount.mountpoint for mount in psutil.disk_partitions(all=True)}
    assert list(warnings_of_locks([str(tmp_path / "store")])) == []
