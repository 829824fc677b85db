"""The interface of a model under test, whatever its kind."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from ..errors import InputError


class Status(StrEnum):
    """Whether there is an outcome, and if not, why.

    `ok`: there is an outcome. `identical`: the model sees no change and is not run. For answers in
    words: `none` says that no label applies, `refused` declines the task, and `unparsed` names no
    label, or several where one is asked for, or answers a prompt that was cut on its way.
    """

    OK = "ok"
    IDENTICAL = "identical"
    NONE = "none"
    REFUSED = "refused"
    UNPARSED = "unparsed"


CUT = "length"
"""Why an answer in words ended that used up its tokens; the responses of all models say so."""


def is_cut(finish: str) -> bool:
    """Tell whether an answer ended for its length; some servers have other words for it."""
    return finish == CUT or finish.casefold() in {"max_tokens", "model_length", "max_length"}


class Learnt(InputError):
    """A model must be asked otherwise than it was, and is from now on, under a new fingerprint.

    It is raised before any answer has come.
    """


class Reading(NamedTuple):
    """What a response means: a status and, if that is `ok`, an `outcome` (sorted label names).

    `answer` holds the words of models that answer in words. `scores` are the log-odds of labels, in
    the order of their names and rounded (see `log_odds`), where the model gives any.
    """

    status: Status
    outcome: tuple[str, ...] | None = None
    answer: str | None = None
    scores: Mapping[str, float] | None = None


class Reader(Protocol):
    """Something that reads answers in words."""

    def read(self, answer: str, *, cut: bool) -> Reading:
        """Return what an answer means, which is `cut` where it used up its tokens."""


class Window(NamedTuple):
    """The part of a text that a model sees: its first `length` characters, and a digest of these.

    Texts with equal digests get equal responses.
    """

    length: int
    digest: str


class Sight(Protocol):
    """Something that sees texts, or parts of them."""

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what is seen of each text."""


class Model(Sight, Protocol):
    """A model under test."""

    @property
    def fingerprint(self) -> str:
        """A digest of all that decides a response, except the text."""

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text in lists, each as soon as it is known."""

    def read(self, response: str) -> Reading:
        """Return what a response means."""
