"""The only error whose message is written for users."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

MOST_REPORTED = 50
"""How many faults of a file are listed one by one."""
PASSWORD = re.compile(r"(?<=://)\S*@")


class InputError(ValueError):
    """An input of the study cannot be used.

    The message is one line: where the problem is, what was found, what was expected, and how to fix
    it. If there are several `faults`, a line for each follows.
    """

    def __init__(
        self,
        *,
        where: str,
        found: str,
        expected: str,
        fix: str,
        faults: Sequence["InputError"] = (),
    ) -> None:
        lines = [_shown(f"{where}: found {found}; expected {expected}. {fix}"), *map(str, faults)]
        super().__init__("\n  ".join(lines))


class Faults:
    """The faults of a table, which are collected while it is read and reported together."""

    def __init__(self, where: str) -> None:
        self._where, self._number = where, 0
        self._told: list[InputError] = []
        self._kinds: set[str] = set()

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Collect an `InputError` that is raised inside; of many, one of each kind."""
        try:
            yield
        except InputError as error:
            self._number += 1
            kind = str(error).partition(": found ")[2]
            unlike = kind not in self._kinds and len(self._kinds) < MOST_REPORTED
            if unlike or len(self._told) < MOST_REPORTED:
                self._told.append(error)
                self._kinds.add(kind)

    def tell(self) -> None:
        """Raise the collected fault, or one error with all of them, if there are any."""
        if self._number == 1:
            raise self._told[0]
        if self._number:
            raise InputError(
                where=self._where,
                found=f"{self._number:,} faults",
                expected="none",
                fix="These are all:" if self._number == len(self._told) else "These are the first:",
                faults=self._told,
            )


def _shown(text: str) -> str:
    """Return `text` with escapes for characters that end a line or cannot be written."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def hide_password(text: str) -> str:
    """Return `text` with the user and password of any web address in it hidden."""
    return PASSWORD.sub("(hidden)@", text)
