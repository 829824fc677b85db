"""Rows of users' files with their locations: CSV, JSON lines, Parquet, members of archives."""

import gzip
import tarfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Self

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import Faults, InputError
from ..lines import Rows, check_columns, check_header, csv_rows, decoded_lines, json_rows
from ..locations import files_at

LINE_READERS: dict[str, Callable[..., Rows]] = {
    **dict.fromkeys((".csv", ".tsv"), csv_rows),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), json_rows),
}
PACKED = {".gz": (b"\x1f\x8b", "gzip"), ".zst": (b"\x28\xb5\x2f\xfd", "zstd")}
"""How compressed files begin, whatever their names are, and how they are compressed."""


def read_rows(
    path: Path,
    *,
    member: str | None = None,
    columns: Collection[str] = (),
    faults: Faults | None = None,
) -> Rows:
    """Yield (location, row) for each row of `path`, streaming; the location is a file and line.

    A `path` that is no file is a pattern; its files are read in the order of their names. For an
    archive, `member` is the name of the file inside, or a pattern of names (see `open_members`):
    CSV and JSON lines yield their rows; every other file is a text and yields one row with the
    columns `text`, `folder`, `folder_1`, `folder_2`, ... Every row has the `columns`, and may lack
    all others. Whatever cannot be read (a missing file, an unknown suffix, text that is not UTF-8,
    lines that are no rows) is noted in `faults`, or raises an `InputError` at the end.
    """
    noted = faults or Faults(str(path))
    for file in map(Path, files_at(str(path)) or [str(path)]):
        with noted.noted():
            yield from _rows_of(file, member=member, columns=columns, faults=noted)
    if faults is None:
        noted.raise_all()


def _rows_of(path: Path, *, member: str | None, columns: Collection[str], faults: Faults) -> Rows:
    suffix = _kind(path)
    _check_file(path, suffix=suffix)
    _check_member(member, path=path, archived=suffix == SUFFIX)
    if member is not None:
        yield from _archived_rows(path, pattern=member, columns=columns, faults=faults)
    elif suffix in LINE_READERS:
        reader = LINE_READERS[suffix]
        yield from reader(_lines(path), where=str(path), columns=columns, faults=faults)
    else:
        yield from _parquet_rows(path, columns=columns)


def _kind(path: Path) -> str:
    """Return the lower-case suffix of a file's name, without that of a compressed table of text."""
    *_, inner, outer = ["", "", *map(str.lower, path.suffixes)]
    if outer in PACKED:
        return inner if inner in LINE_READERS else inner + outer
    return outer


def _check_file(path: Path, *, suffix: str) -> None:
    known = [*sorted(LINE_READERS), ".parquet", SUFFIX]
    if suffix not in known or not path.is_file():
        raise InputError(
            where=str(path),
            found=f"a file of kind '{suffix}'"
            if path.is_file()
            else "a folder"
            if path.is_dir()
            else "no such file",
            expected=f"a dataset file ({', '.join(known)}; lines also with {' or '.join(PACKED)})",
            fix="Correct the dataset's `file` in the datasets sheet, or save the table as CSV.",
        )


def _check_member(member: str | None, *, path: Path, archived: bool) -> None:
    if (member is not None) != archived:
        raise InputError(
            where=str(path),
            found=f"the member '{member}'" if member is not None else "no `member`",
            expected="the name of a file inside, if the file is an archive",
            fix="Correct `member` in the datasets sheet.",
        )


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        start = file.read(4)
    packing = next((name for mark, name in PACKED.values() if start.startswith(mark)), None)
    with readable(path, expected=f"a whole file, compressed by {packing}"):
        yield from decoded_lines(
            pa.input_stream(str(path), compression=packing), location=str(path)
        )


def _archived_rows(path: Path, *, pattern: str, columns: Collection[str], faults: Faults) -> Rows:
    with readable(path, expected=f"a whole {SUFFIX} archive"):
        for name, content in open_members(path, pattern=pattern):
            location = f"{path}, member {name}"
            lines = decoded_lines(content, location=location)
            if name.suffix in LINE_READERS:
                reader = LINE_READERS[name.suffix]
                yield from reader(lines, where=location, columns=columns, faults=faults)
            else:
                folders = name.parent.parts
                row = {"folder": "/".join(folders)}
                row |= {f"folder_{level}": one for level, one in enumerate(folders, start=1)}
                row["text"] = "".join(lines)
                check_columns(row, columns=columns, location=location)
                yield location, row


def _parquet_rows(path: Path, *, columns: Collection[str]) -> Rows:
    number = 0
    with readable(path, expected="a Parquet file"):
        file = pq.ParquetFile(path)
        check_header(file.schema_arrow.names, columns=columns, location=str(path))
        for batch in file.iter_batches(batch_size=1000, columns=list(columns) or None):
            for row in batch.to_pylist():
                number += 1
                yield f"{path}, row {number}", row


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
