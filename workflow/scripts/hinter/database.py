"""Query result files by DuckDB, within the memory and threads of a job."""

import sys
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple
from uuid import uuid4

import duckdb

from .lattice import MACROS


class Limits(NamedTuple):
    """The memory of a job, in millions of bytes, and its threads."""

    memory_mb: int
    threads: int


# For processes that are not jobs: benchmarks, tests and planning.
DEFAULT = Limits(memory_mb=2000, threads=2)


def _of_job() -> Limits:
    """Return the limits that Snakemake gives to the script of this job."""
    job = getattr(sys.modules["__main__"], "snakemake", None)
    memory_mb = getattr(getattr(job, "resources", None), "mem_mb", None)
    return Limits(memory_mb, job.threads) if job and isinstance(memory_mb, int) else DEFAULT


def open_database() -> duckdb.DuckDBPyConnection:
    """Return a connection to a database with the macros of the lattice, within this job's limits.

    It may use half of the memory. The rest is for Python, for libraries, and for memory that DuckDB
    does not count. Data that do not fit are kept in the job's temporary folder until the connection
    is closed.
    """
    limits = _of_job()
    connection = duckdb.connect(
        config={
            "memory_limit": f"{limits.memory_mb // 2}MB",
            "threads": limits.threads,
            "temp_directory": str(Path(gettempdir(), f"duckdb-{uuid4().hex}")),
        }
    )
    connection.execute(MACROS)
    return connection
