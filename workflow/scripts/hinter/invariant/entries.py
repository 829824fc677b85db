"""Entries of stores that are files of their own: written as a whole, or not at all."""

from pathlib import Path
from uuid import uuid4


def write_entry(path: Path, content: bytes) -> None:
    """Put a file with this content in the place of the one at `path`, if there is one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        partial.write_bytes(content)
    # On a full disk, half an entry would take space that others need.
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    partial.replace(path)
