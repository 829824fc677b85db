"""Where the files are that a study names: in the folder that it runs in, or in the workflow's."""

from pathlib import Path

HOME = Path(__file__).resolve().parents[3]
"""The folder of the workflow, which holds its configuration and data."""


def found(path: str) -> str:
    """Return `path` as it is or, where only the workflow's own folder has it, its place there."""
    at_home = HOME / path
    return str(at_home) if at_home.exists() and not Path(path).exists() else path
