"""Report faults of the disk and damaged files in one line, whichever library met them."""

import errno
from collections.abc import Iterable

from .errors import InputError

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
