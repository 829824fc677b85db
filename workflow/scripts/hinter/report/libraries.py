"""The libraries that draw the page's pictures: files that the page holds in itself."""

import hashlib
from pathlib import Path

from ..errors import InputError


def read_libraries(lock: Path) -> list[str]:
    """Return the scripts that a lock in the form of `sha256sum` names, in its order.

    They lie beside the lock. Raises `InputError` where one is missing or is not that of the lock.
    """
    lines = lock.read_text(encoding="utf-8").splitlines()
    return [_script(lock, *line.split("  ", maxsplit=1)) for line in lines]


def _script(lock: Path, sha256: str, name: str) -> str:
    file = lock.with_name(name)
    content = file.read_bytes() if file.is_file() else None
    digest = None if content is None else hashlib.sha256(content).hexdigest()
    if content is None or digest != sha256:
        raise InputError(
            where=str(file),
            found="no such file" if content is None else f"the sha256 {digest}",
            expected=f"the sha256 {sha256} of {lock.name}",
            fix="Take the file from its package anew, as the README.md beside it says.",
        )
    return content.decode()
