"""Where the files that a study names are: in the folder it runs in, or in the workflow's own."""

import glob
from pathlib import Path

HOME = Path(__file__).resolve().parents[3]
"""The folder of the workflow, which holds its configuration and data."""


def found(path: str) -> str:
    """Return `path`, or its place in the workflow's own folder if it exists only there."""
    at_home = str(HOME / path)
    return at_home if files_at(at_home) and not files_at(path) else path


def files_at(path: str) -> list[str]:
    """Return the file or folder at `path` or, if it is a pattern, those that match it, sorted."""
    if Path(path).exists():
        return [path]
    # Path.glob refuses absolute patterns.
    return sorted(glob.glob(path, recursive=True))  # noqa: PTH207
