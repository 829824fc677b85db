"""The software of a run: the packages that environments pin, and the files of the workflow."""

import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml

PARTS = ("envs", "workflow")
"""The folders of the workflow: its code, and the environments of its jobs."""


def pinned_software(environments: Sequence[str]) -> dict[str, str]:
    """Return the version of each package in these conda environment files, by name, sorted.

    The version of Python is that of the running interpreter.
    """
    lines = [
        line
        for path in environments
        for line in yaml.safe_load(Path(path).read_text(encoding="utf-8"))["dependencies"]
    ]
    pins = {name: version for name, version in (line.split(" =") for line in lines)}
    return dict(sorted({**pins, "python": platform.python_version()}.items()))


def write_archive(home: Path, archive: Path, *, parts: Sequence[str] = PARTS) -> None:
    """Write the files in the folders `parts` of `home` to a ZIP `archive`, sorted.

    Equal files make equal bytes, even if their times differ. Compiled Python files are left out.
    """
    with ZipFile(archive, "w") as writer:
        for path in _files(home, parts):
            # The earliest time that the format can represent.
            entry = ZipInfo(path.relative_to(home).as_posix(), date_time=(1980, 1, 1, 0, 0, 0))
            writer.writestr(entry, path.read_bytes(), compress_type=ZIP_DEFLATED)


def _files(home: Path, parts: Sequence[str]) -> Iterator[Path]:
    for part in sorted(parts):
        for path in sorted((home / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path
