"""Faults of the disk and damaged files, which libraries tell each in its own way, as one line."""

import errno
from collections.abc import Iterable

from .errors import InputError

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
NO_ACCESS = {errno.EROFS, errno.EACCES, errno.EPERM}
PARQUET_READERS = {"pyarrow", "duckdb", "_duckdb"}


def disk_fault(error: Exception) -> InputError | None:
    """Return the line about a disk that is full or may not be written, if `error` is of one."""
    number, said = getattr(error, "errno", None), _in_a_line(error)
    place = str(getattr(error, "filename", None) or "disk")
    # DuckDB's errors have no number.
    if number in NO_ROOM or "No space left on device" in said:
        return InputError(
            where=place,
            found="no room left",
            expected="room for the results; `snakemake plan` tells how much a study takes",
            fix="Make room and run again: it goes on from there.",
        )
    if number in NO_ACCESS or "Read-only file system" in said:
        return InputError(
            where=place,
            found=f"no permission ({said})",
            expected="a place that you may read and write",
            fix="Correct its permissions, or run in another folder.",
        )
    return None


def file_fault(error: Exception, *, inputs: Iterable[str]) -> InputError | None:
    """Return the line about the first damaged Parquet file of `inputs`, if `error` may be of one.

    Readers do not name the file where it is damaged inside.
    """
    from_reader = type(error).__module__.partition(".")[0] in PARQUET_READERS
    if not from_reader and not (isinstance(error, OSError) and error.errno is None):
        return None
    faults = (_damage(path) for path in inputs if path.endswith(".parquet"))
    return next((fault for fault in faults if fault is not None), None)


def _damage(path: str) -> InputError | None:
    # Loaded by jobs that read Parquet anyway.
    import pyarrow.parquet as pq

    try:
        for _ in pq.ParquetFile(path).iter_batches():
            pass
    # Arrow's own exceptions are values that are wrong, or errors of input and output.
    except (ValueError, OSError) as error:
        return InputError(
            where=path,
            found=f"a damaged file ({_in_a_line(error)})",
            expected="a whole Parquet file",
            fix="Delete it and run again: what the study made, it makes anew.",
        )
    return None


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())
