"""Queries over result files by DuckDB, within the memory and the threads that a job was given."""

from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple
from uuid import uuid4

import duckdb


class Limits(NamedTuple):
    """The memory of a job, in millions of bytes, and its threads."""

    memory_mb: int
    threads: int


# For whoever was given nothing: benchmarks and tests.
_limits = Limits(memory_mb=2000, threads=2)


def limit_queries(*, memory_mb: int, threads: int) -> None:
    """Keep all queries of this process within what it was given."""
    global _limits
    _limits = Limits(memory_mb, threads)


def open_database() -> duckdb.DuckDBPyConnection:
    """Return a connection to an empty database that heeds the limits of this process.

    It holds half of the memory, as Python, libraries and what DuckDB does not count take the rest.
    What does not fit is kept in the job's temporary folder until the connection is closed.
    """
    return duckdb.connect(
        config={
            "memory_limit": f"{_limits.memory_mb // 2}MB",
            "threads": _limits.threads,
            "temp_directory": str(Path(gettempdir(), f"duckdb-{uuid4().hex}")),
        }
    )
