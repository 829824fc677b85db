"""Where the files that a study names are: in the folder it runs in, or in the workflow's own."""

from pathlib import Path

HOME = Path(__file__).resolve().parents[3]
"""The folder of the workflow, which holds its configuration and data."""


def found(path: str) -> str:
    """Return `path`, or its place in the workflow's own folder if it exists only there."""
    at_home = HOME / path
    return str(at_home) if at_home.exists() and not Path(path).exists() else path
