"""Members of a `.tar.gz` archive as streams, without unpacking to the disk."""

import gzip
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Self

import pyarrow as pa

from ..errors import InputError

SUFFIX = ".tar.gz"
NAMES_SHOWN = 3
BYTES_AT_ONCE = 1 << 20


def open_members(path: Path, *, pattern: str) -> Iterator[tuple[PurePosixPath, IO[bytes]]]:
    """Yield the name and content of every file in the archive `path` whose name matches `pattern`.

    They come in the archive's order; each must be read before the next. In a pattern, `*`, `?` and
    `[...]` match characters within the name of one folder or file. Raises `InputError` if no name
    matches.
    """
    depth, found = len(PurePosixPath(pattern).parts), False
    others: list[str] = []
    with (
        gzip.open(path) as unpacked,
        tarfile.open(fileobj=unpacked, mode="r:", tarinfo=_Header) as archive,
    ):
        for member in archive:
            # Otherwise tarfile would keep every member in memory (`stream` in later Pythons).
            archive.members.clear()  # type: ignore[attr-defined]
            name = PurePosixPath(member.name)
            content = archive.extractfile(member) if member.isfile() else None
            if content is None:
                continue
            if len(name.parts) == depth and name.match(pattern):
                found = True
                yield name, content
            elif len(others) < NAMES_SHOWN:
                others.append(str(name))
        # The checksum is at the end, so the rest has to be read.
        while unpacked.read(BYTES_AT_ONCE):
            pass
    if not found:
        raise InputError(
            where=str(path),
            found=f"no member '{pattern}' (it begins with {', '.join(others) or 'no file'})",
            expected="a member of that name",
            fix="Correct the dataset's `member` in the datasets sheet.",
        )


def folders_of(name: PurePosixPath) -> dict[str, str]:
    """Return the columns with the location of a text file in its archive.

    `folder` is its whole folder; `folder_1` is the outermost folder, `folder_2` the next one.
    """
    folders = name.parent.parts
    return {"folder": "/".join(folders)} | {
        f"folder_{level}": folder for level, folder in enumerate(folders, start=1)
    }


class _Header(tarfile.TarInfo):
    """A member's header; a broken one raises an error and does not end the archive."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):
                raise
            raise tarfile.ReadError(f"a broken member ({error})") from None


@contextmanager
def readable(path: Path, *, expected: str) -> Iterator[None]:
    """Raise `InputError` if the file `path`, which is read inside, is damaged."""
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error, pa.ArrowInvalid, OSError) as error:
        # A fault of the disk has a number.
        if getattr(error, "errno", None) is not None:
            raise
        raise InputError(
            where=str(path),
            found=" ".join(str(error).split()),
            expected=expected,
            fix="Fetch or write the file again.",
        ) from None
