"""The one error that users of the study are meant to read."""

import re
from pathlib import Path

PASSWORD = re.compile(r"(?<=://)\S*@")


class InputError(ValueError):
    """Something given to the study cannot be used.

    Its text is one line: where the problem is, what was found, what was expected, and what to do.
    """

    def __init__(self, *, where: str, found: str, expected: str, fix: str) -> None:
        super().__init__(_shown(f"{where}: found {found}; expected {expected}. {fix}"))


def encoding_error(path: Path) -> InputError:
    """Return the error for the first line of `path` that is not UTF-8."""
    where, found = str(path), "other bytes"
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                where, found = f"{path}, line {number}", f"the byte 0x{line[error.start]:02x}"
                break
    return InputError(
        where=where, found=found, expected="UTF-8 text", fix="Convert the file to UTF-8."
    )


def _shown(text: str) -> str:
    """Return `text` with escapes for signs that end a line or cannot be written."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def hide_password(text: str) -> str:
    """Return `text` without the user and password that a web address in it may contain."""
    return PASSWORD.sub("(hidden)@", text)
