"""Weigh a refusal by what an endpoint has shown so far."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

from .bodies import Foreign
from .dialect import CHANGING, Messages
from .http_errors import Refusal

SURE = 4
"""Attempts at a prompt before a refusal that does not say why is one of this prompt: a router may
have a provider that refuses what others accept. All attempts are made once a prompt was answered
after such a refusal."""
FOREIGN = 2
"""Attempts at a server that has only answered in a foreign form."""


class Cause(Enum):
    """The cause of a refusal, as far as other calls show it.

    It is the `PROMPT`, a part of the request that is `NAMED`, or parts that were `FOUND` by leaving
    them out; by `CHANCE`, another attempt may be answered.
    """

    PROMPT = auto()
    NAMED = auto()
    FOUND = auto()
    CHANCE = auto()
    ELSE = auto()


class Attempt(NamedTuple):
    """One way of asking `messages`: the `body` sent, which the `lessons` shaped.

    It has a `number`, from 1. At the `last` attempt, a failure of the server may be one that it has
    with this body. Unless it is `scored`, it is one without log-probabilities after a failure.
    """

    messages: Messages
    body: Mapping[str, Any]
    lessons: list[str]
    number: int
    last: bool
    scored: bool


class Evidence:
    """What an endpoint has shown in all its calls, with at most `attempts` at a prompt.

    It has `answered` a prompt, or was `reached` by one or by a harmless question. It wavers if it
    answered a prompt after a refusal of it that seemed one by chance. `searched` says that the
    parts that it refuses were searched for and found, and `scored` that it has answered a prompt
    with log-probabilities asked for.
    """

    def __init__(self, *, attempts: int) -> None:
        self.attempts = attempts
        self.answered = self.reached = self.searched = self.scored = False
        self._by_chance = self._wavers = False

    def note_answer(self, *, number: int, scored: bool) -> None:
        """Record the answer to a prompt at its attempt `number`, asked for scores or not."""
        self.answered = self.reached = True
        self.scored = self.scored or scored
        self._wavers = self._wavers or (self._by_chance and number > 1)

    def note_chance(self) -> None:
        """Record a refusal that seemed one by chance."""
        self._by_chance = True

    def attempts_after(self, fault: BaseException | None) -> int:
        """Return the number of attempts at a prompt whose last one had a `fault`."""
        hopeless = isinstance(fault, Foreign) and not self.answered
        return min(FOREIGN, self.attempts) if hopeless else self.attempts

    def accepted(self, attempt: Attempt) -> set[str]:
        """Return the parts that the endpoint has accepted: some of its answers depend on them."""
        if not self.answered:
            return set()
        return CHANGING if attempt.last else CHANGING | {"max_tokens"}

    def doubts(self, refusal: Refusal, attempt: Attempt, *, ever: bool = False) -> bool:
        """Return whether another attempt at a prompt may be answered, at first or `ever`."""
        reasoned = refusal.hints_at_filter or refusal.is_spent or not refusal.is_of_input
        most = self.attempts if ever or self._wavers else min(SURE, self.attempts)
        return not reasoned and attempt.number < most
