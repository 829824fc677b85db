"""Weigh a refusal by what an endpoint has shown so far, and find parts that it refuses.

A harmless question in the form of the real request shows whether a server refuses the form or only
a prompt. If it refuses the form, it is asked in the barest form, and then with each part again.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

from .bodies import Foreign
from .dialect import CHANGING, Dialect, Messages
from .http_errors import Refusal

SURE = 4
"""Attempts at a prompt before a refusal that does not say why is one of this prompt: a router may
have a provider that refuses what others accept. All attempts are made once a prompt was answered
after such a refusal."""
FOREIGN = 2
"""Attempts at a server that has only answered in a foreign form."""

HARMLESS = "Hi"
"""A question that no filter refuses."""
GREETING = [{"role": "user", "content": HARMLESS}]


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

    It has answered a prompt, with log-probabilities asked for if it has `scored` one, or was
    reached by one or by a harmless question, which `is_answered` asks. It wavers if it answered a
    prompt after a refusal that seemed one `by_chance`, or only some of several harmless questions.
    Parts that it refuses are searched for until some are found, which the `dialect` then leaves
    out.
    """

    def __init__(
        self,
        dialect: Dialect,
        *,
        attempts: int,
        is_answered: Callable[[Dialect, Attempt], Awaitable[bool]],
    ) -> None:
        self._dialect, self.attempts, self._is_answered = dialect, attempts, is_answered
        self._search = asyncio.Lock()
        self.scored = self._answered = self._reached = self._searched = False
        self.by_chance = self._wavers = False

    def note_answer(self, *, number: int, scored: bool) -> None:
        """Record the answer to a prompt at its attempt `number`, asked for scores or not."""
        self._answered = self._reached = True
        self.scored = self.scored or scored
        self._wavers = self._wavers or (self.by_chance and number > 1)

    def attempts_after(self, fault: BaseException | None) -> int:
        """Return the number of attempts at a prompt whose last one had a `fault`."""
        hopeless = isinstance(fault, Foreign) and not self._answered
        return min(FOREIGN, self.attempts) if hopeless else self.attempts

    def has_learnt(self, attempt: Attempt) -> bool:
        """Return whether a concurrent call has learnt something since the attempt."""
        return self._dialect.lessons != attempt.lessons

    async def cause_of(self, refusal: Refusal, attempt: Attempt) -> tuple[Cause, list[str]]:
        """Return the cause of a refusal, and the parts of the request that are refused."""
        if refusal.is_filter or refusal.is_cut or (refusal.may_last and not attempt.scored):
            return Cause.PROMPT, []
        named = self._dialect.named(refusal, body=attempt.body, but=self._accepted(attempt))
        lasts = attempt.last and refusal.may_last
        if (refusal.hints_at_filter or not named) and refusal.may_be_of_call(lasts=lasts):
            doubted = self._doubts(refusal, attempt)
            if doubted and self._reached:
                return Cause.CHANCE, []
            is_harmless = attempt.messages == harmless(attempt.messages)
            answered = not is_harmless and await self._is_answered(self._dialect, attempt)
            self._reached |= answered
            if answered and refusal.is_of_input and not doubted:
                chance = not self._is_reasoned(refusal) and await self._refuses_any(attempt)
                return Cause.CHANCE if chance else Cause.PROMPT, []
            if not (answered or named) and (attempt.last or not self._answered):
                found = await self._refused_parts(attempt)
                if found:
                    return Cause.FOUND, found
            if self._reached and self._doubts(refusal, attempt, ever=True):
                return Cause.CHANCE, []
        return (Cause.NAMED, [named]) if named else (Cause.ELSE, [])

    async def _refused_parts(self, attempt: Attempt) -> list[str]:
        """Return the fewest lessons after which the endpoint answers, searched for once."""
        async with self._search:
            if self._searched or self.has_learnt(attempt):
                return []
            parts = await self._search_for(attempt)
            if not self._accepted(attempt).isdisjoint(parts):
                return []
            self._searched = True
            # At once, as others wait for it.
            self._dialect.lessons.extend(parts)
        return parts

    async def _search_for(self, attempt: Attempt) -> list[str]:
        """Return the fewest lessons after which the endpoint answers, none if it never does.

        A limit of tokens is only renamed, so it is first kept as it is. A chat remains one: a text
        to continue is another question.
        """

        async def is_answered(lessons: Counter[str]) -> bool:
            return await self._is_answered(self._dialect.after(lessons.elements()), attempt)

        left = self._dialect.left(attempt.body)
        found = Counter(
            {part: left[part] for part in left.keys() - {"chat"} - self._accepted(attempt)}
        )
        limit = found.pop("max_tokens", 0)
        if not await is_answered(found):
            found["max_tokens"] = limit
            if not limit or not await is_answered(found):
                return []
        for part in sorted(found):
            for times in range(found[part]):
                fewer = Counter({**found, part: times})
                if await is_answered(fewer):
                    found = fewer
                    break
        return sorted(found.elements())

    def _accepted(self, attempt: Attempt) -> set[str]:
        """Return the parts that the endpoint has accepted: some of its answers depend on them."""
        if not self._answered:
            return set()
        return CHANGING if attempt.last else CHANGING | {"max_tokens"}

    def _doubts(self, refusal: Refusal, attempt: Attempt, *, ever: bool = False) -> bool:
        """Return whether another attempt at a prompt may be answered, at first or `ever`."""
        most = self.attempts if ever or self._wavers else min(SURE, self.attempts)
        return not self._is_reasoned(refusal) and attempt.number < most

    def _is_reasoned(self, refusal: Refusal) -> bool:
        return refusal.hints_at_filter or refusal.is_spent or not refusal.is_of_input

    async def _refuses_any(self, attempt: Attempt) -> bool:
        """Return whether one of several harmless questions is refused, so that attempts go on."""
        for _ in range(0 if attempt.last else SURE - 1):
            if not await self._is_answered(self._dialect, attempt):
                self._wavers = True
                return True
        return False


def harmless(messages: Messages) -> Messages:
    """Return a chat of the form of `messages` about nothing."""
    return [{**turn, "content": turn["content"] and HARMLESS} for turn in messages]
