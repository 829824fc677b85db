"""One line about faults of the disk and damaged files, which every library reports differently."""

import errno
from collections.abc import Iterable

from .errors import InputError

NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
NO_ROOM_SAID = ("No space left on device", "'max_temp_directory_size'")
"""What errors of DuckDB say, which have no number: of its own file, or of temporary ones."""
NO_ACCESS = {errno.EROFS, errno.EACCES, errno.EPERM}
PARQUET_READERS = {"pyarrow", "duckdb", "_duckdb"}


def disk_fault(error: Exception) -> InputError | None:
    """Return the error for a disk that is full or cannot be written to, if `error` is of one."""
    number, said = getattr(error, "errno", None), _in_a_line(error)
    place = str(getattr(error, "filename", None) or "disk")
    if number in NO_ROOM or any(words in said for words in NO_ROOM_SAID):
        return InputError(
            where=place,
            found="no space left",
            expected="space for results and temporary files (`snakemake plan` tells how much)",
            fix="Free some space and run again: the study goes on from there.",
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
    """Return the error for the first damaged Parquet file of `inputs`, if `error` may be of one.

    Readers do not name a file that is damaged inside.
    """
    from_reader = type(error).__module__.partition(".")[0] in PARQUET_READERS
    if not from_reader and not (isinstance(error, OSError) and error.errno is None):
        return None
    faults = (_damage(path) for path in inputs if path.endswith(".parquet"))
    return next((fault for fault in faults if fault is not None), None)


def _damage(path: str) -> InputError | None:
    # Only jobs that read Parquet come here, which have imported it.
    import pyarrow.parquet as pq

    try:
        for _ in pq.ParquetFile(path).iter_batches():
            pass
    # Arrow's own exceptions derive from these two.
    except (ValueError, OSError) as error:
        return InputError(
            where=path,
            found=f"a damaged file ({_in_a_line(error)})",
            expected="a whole Parquet file",
            fix="Delete it and run again: the study makes its own files again.",
        )
    return None


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())
