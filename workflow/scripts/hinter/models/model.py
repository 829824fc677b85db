"""The interface of a model under test of any kind."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from ..errors import InputError


class Status(StrEnum):
    """Whether there is an outcome and, if not, the reason.

    `ok`: there is an outcome. `identical`: the model sees no change and is not run. For answers in
    words: `none` says that no label applies, `refused` declines the task, and `unparsed` names no
    label, or several if one is asked for, or answers a prompt that the server has cut.
    """

    OK = "ok"
    IDENTICAL = "identical"
    NONE = "none"
    REFUSED = "refused"
    UNPARSED = "unparsed"


CUT = "length"
"""The reason in all responses for the end of an answer in words that used up its tokens."""


OF_LENGTH = re.compile("length|limit|max|window|truncat|incomplete", re.IGNORECASE)


def is_cut(finish: str) -> bool:
    """Return whether an answer ended because of its length, which servers call differently."""
    return OF_LENGTH.search(finish) is not None


class Learnt(InputError):
    """A model must be asked in a new way, and is asked so from now on, under a new fingerprint.

    It is raised before the first answer.
    """


class ParsedAnswer(NamedTuple):
    """The meaning of a response: a status and, if that is `ok`, an `outcome` (sorted label names).

    `answer` has the words of models that answer in words. `scores` are the log-odds of labels, in
    the order of their names and rounded (see `log_odds`), if the model gives any.
    """

    status: Status
    outcome: tuple[str, ...] | None = None
    answer: str | None = None
    scores: Mapping[str, float] | None = None


class ResponseParser(Protocol):
    """A parser of answers in words."""

    def read(self, answer: str, *, cut: bool) -> ParsedAnswer:
        """Return the meaning of an answer, which is `cut` if it used up its tokens."""


class Window(NamedTuple):
    """The part of a text that a model sees: its first `length` characters, and a digest of these.

    Texts with equal digests get equal responses.
    """

    length: int
    digest: str


class Truncation(Protocol):
    """Something that truncates texts."""

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the visible part of each text."""


class Model(Truncation, Protocol):
    """A model under test."""

    @property
    def fingerprint(self) -> str:
        """A digest of everything that determines a response, except the text."""

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield lists of the (position, response) of texts, each as soon as it is known."""

    def read(self, response: str) -> ParsedAnswer:
        """Return the meaning of a response."""
