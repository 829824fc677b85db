"""Find the files that a study names: in its working folder, or in the folder of the workflow."""

import glob
from pathlib import Path

HOME = Path(__file__).resolve().parents[3]
"""The folder of the workflow, which holds its configuration and data."""


def found(path: str) -> str:
    """Return `path`, or the same path in the workflow's folder if it exists only there."""
    at_home = str(HOME / path)
    return at_home if files_at(at_home) and not files_at(path) else path


def files_at(path: str) -> list[str]:
    """Return the file or folder at `path` or, if it is a pattern, all matches, sorted."""
    if Path(path).exists():
        return [path]
    # Path.glob does not accept absolute patterns.
    return sorted(glob.glob(path, recursive=True))  # noqa: PTH207
