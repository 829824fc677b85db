"""The only error whose message is written for users, also about disks and damaged files."""

import errno
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

MOST_REPORTED = 50
"""How many faults of a file are listed one by one."""
PASSWORD = re.compile(r"(?<=://)\S*@")


class InputError(ValueError):
    """An input of the study cannot be used.

    The message is one line: where the problem is, what was found, what was expected, and how to fix
    it. If there are several `faults`, a line for each follows.
    """

    def __init__(
        self,
        *,
        where: str,
        found: str,
        expected: str,
        fix: str,
        faults: Sequence["InputError"] = (),
    ) -> None:
        said = f"{where}: found {found}; expected {expected}. {fix}"
        # Characters that end a line or cannot be written are escaped.
        line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in said)
        super().__init__("\n  ".join([line, *map(str, faults)]))


class Faults:
    """The faults of a table, which are collected while it is read and reported together."""

    def __init__(self, where: str) -> None:
        self._where, self._number = where, 0
        self._told: list[InputError] = []
        self._kinds: set[str] = set()

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Collect an `InputError` that is raised inside; of many, one of each kind."""
        try:
            yield
        except InputError as error:
            self._number += 1
            kind = str(error).partition(": found ")[2]
            unlike = kind not in self._kinds and len(self._kinds) < MOST_REPORTED
            if unlike or len(self._told) < MOST_REPORTED:
                self._told.append(error)
                self._kinds.add(kind)

    def raise_all(self) -> None:
        """Raise the collected fault, or one error with all of them, if there are any."""
        if self._number == 1:
            raise self._told[0]
        if self._number:
            raise InputError(
                where=self._where,
                found=f"{self._number:,} faults",
                expected="none",
                fix="These are all:" if self._number == len(self._told) else "These are the first:",
                faults=self._told,
            )


def no_file(path: object, *, expected: str, fix: str) -> InputError:
    """Return the error for a file that does not exist."""
    return InputError(where=str(path), found="no such file", expected=expected, fix=fix)


def hide_password(text: str) -> str:
    """Return `text` with the user and password of any web address in it hidden."""
    return PASSWORD.sub("(hidden)@", text)


NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
NO_ROOM_SAID = ("No space left on device", "'max_temp_directory_size'")
"""Messages of DuckDB, whose errors have no number: about its own file, and about temporary ones."""
NO_ACCESS = {errno.EROFS, errno.EACCES, errno.EPERM}
PARQUET_READERS = {"pyarrow", "duckdb", "_duckdb"}


def disk_fault(error: Exception) -> InputError | None:
    """Return the error for a disk that is full or cannot be written to, if `error` means that."""
    number, said = getattr(error, "errno", None), _in_a_line(error)
    location = str(getattr(error, "filename", None) or "disk")
    if number in NO_ROOM or any(words in said for words in NO_ROOM_SAID):
        return InputError(
            where=location,
            found="no space left",
            expected="space for results and temporary files (`snakemake plan` shows how much)",
            fix="Free some space and run again: the study continues from there.",
        )
    if number in NO_ACCESS or "Read-only file system" in said:
        return InputError(
            where=location,
            found=f"no permission ({said})",
            expected="files and folders that you may read and write",
            fix="Correct its permissions, or run in another folder.",
        )
    return None


def file_fault(error: Exception, *, inputs: Iterable[str]) -> InputError | None:
    """Return the error for the first damaged Parquet file among `inputs`, if that may be the cause.

    Libraries do not name a file that is damaged inside.
    """
    from_reader = type(error).__module__.partition(".")[0] in PARQUET_READERS
    if not from_reader and not (isinstance(error, OSError) and error.errno is None):
        return None
    faults = (_damage(path) for path in inputs if path.endswith(".parquet"))
    return next((fault for fault in faults if fault is not None), None)


def _damage(path: str) -> InputError | None:
    # Only jobs that read Parquet come here; these have imported it already.
    import pyarrow.parquet as pq

    try:
        for _ in pq.ParquetFile(path).iter_batches():
            pass
    # Exceptions of Arrow derive from these two.
    except (ValueError, OSError) as error:
        return InputError(
            where=path,
            found=f"a damaged file ({_in_a_line(error)})",
            expected="a whole Parquet file",
            fix="Delete it and run again: the study then makes its own files again.",
        )
    return None


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())
