"""The software that jobs run, as their environments pin it."""

import platform
from collections.abc import Sequence
from pathlib import Path

import yaml


def pinned_software(environments: Sequence[str]) -> dict[str, str]:
    """Return the version of each package in these files of conda environments, by name, sorted.

    That of Python is the one that runs this.
    """
    lines = [
        line
        for path in environments
        for line in yaml.safe_load(Path(path).read_text(encoding="utf-8"))["dependencies"]
    ]
    pins = {name: version for name, version in (line.split(" =") for line in lines)}
    return dict(sorted({**pins, "python": platform.python_version()}.items()))
