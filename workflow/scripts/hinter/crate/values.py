"""Values of properties: lists as JSON-LD has them, and digests of files."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def listed(values: Sequence[T]) -> T | list[T]:
    """Return the values, or the only one of them, which JSON-LD has without a list."""
    return values[0] if len(values) == 1 else list(values)


def sha256_of(path: str | Path) -> str:
    """Return the sha256 of a file in hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
