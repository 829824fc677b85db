"""What a model under test can do, whatever its kind."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol


class Status(StrEnum):
    """Whether there is an outcome, and if not, why.

    `ok`: an outcome. `identical`: the model sees nothing changed and is not run. Of an answer in
    words: `none` says that no label applies, `refused` declines the task, `unparsed` names no label
    or, where one is asked for, several.
    """

    OK = "ok"
    IDENTICAL = "identical"
    NONE = "none"
    REFUSED = "refused"
    UNPARSED = "unparsed"


class Reading(NamedTuple):
    """What a response means: `outcome` (label names, sorted) is there where the status is `ok`.

    `answer` holds the words of models that answer in words.
    """

    status: Status
    outcome: tuple[str, ...] | None = None
    answer: str | None = None


class Reader(Protocol):
    """What reads answers in words."""

    def read(self, answer: str) -> Reading:
        """Return what an answer means."""


class Window(NamedTuple):
    """What a model sees of a text: its leading `length` characters, and a digest of these as read.

    Texts with equal digests get equal responses.
    """

    length: int
    digest: str


class Model(Protocol):
    """What a model under test can do."""

    @property
    def fingerprint(self) -> str:
        """A digest of all that decides a response, the text apart."""

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what the model sees of each text."""

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text, in lists, each as soon as it is there."""

    def read(self, response: str) -> Reading:
        """Return what a response means."""
