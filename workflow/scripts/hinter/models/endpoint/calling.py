"""Request one chat completion from an endpoint: retry after temporary faults, and pay for it once.

A rate limit (HTTP 429) is not a fault: the call is postponed, and so are all others if the endpoint
says for how long. All retries are made here; the client makes none.

The reservation of a call is settled by the endpoint's count of tokens, if that is plausible. It is
released if the call is known not to be billed: nothing was sent because there was no connection, or
the endpoint refused it (`http_errors` says which refusals count). It remains if the call may be
billed: it was sent and got no complete answer (cut off, out of time, too large), it was answered
without a plausible count, or its job was killed.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NoReturn

from tenacity import RetryCallState, retry, retry_if_exception_type, wait_random_exponential

from ...errors import InputError
from ...job import warn
from ..answers import begins_inside
from ..model import Learnt
from .bodies import Fault, Foreign
from .completions import Ceiling, answer_of, asked_tokens, refused_response, response_of
from .dialect import BEGUN, CHANGING, FAILING, Dialect, Messages
from .evidence import Attempt, Cause, Evidence
from .http_errors import Refusal
from .label_positions import LabelPositions
from .line import FREE, KEPT, Line
from .pausing import OutOfPatience, Pause, Slots
from .searching import harmless, refused_parts
from .settings import EndpointSettings

MAX_ATTEMPTS = 8
BACK_OFF = wait_random_exponential(multiplier=0.5, max=60)
"""Seconds between attempts: random, up to 0.5, 1, 2, ... 60 (full jitter)."""


class AskAgain(Exception):
    """The endpoint accepts no more calls for now, or is to be asked without a part of the request.

    Unlike a fault, this is no attempt.
    """


def _tell_retry(state: RetryCallState) -> None:
    caller, fault = state.args[0], state.outcome.exception() if state.outcome else None
    logging.info("%s: %s; asked again in %.0f s", caller.location, fault, state.upcoming_sleep)


def _is_over(state: RetryCallState) -> bool:
    evidence: Evidence = state.args[0].evidence
    fault = state.outcome.exception() if state.outcome else None
    return state.attempt_number >= evidence.attempts_after(fault)


class Caller:
    """Asks questions to one endpoint, over its `line` and in its `dialect`.

    `count_tokens` returns an upper bound of the tokens of messages, for the highest possible price.
    With `positions`, as many log-probabilities are requested as the endpoint gives.
    """

    def __init__(
        self,
        line: Line,
        settings: EndpointSettings,
        *,
        dialect: Dialect,
        count_tokens: Callable[[Messages], int],
        positions: LabelPositions | None,
    ) -> None:
        self._line = line
        self._settings = settings
        self._request = settings.request()
        self._dialect = dialect
        self._count_tokens = count_tokens
        self._positions = positions
        self._pause = Pause()
        self._slots = Slots(settings.concurrency, location=settings.location)
        self._failure: InputError | None = None
        self._search = asyncio.Lock()
        self._ceiling = Ceiling()
        self.location = settings.location
        self.evidence = Evidence(attempts=MAX_ATTEMPTS if settings.patient else 1)

    async def response(self, messages: Messages) -> str:
        """Return the response to `messages`; raises `InputError` if there will be none.

        After a failure no new call is made.
        """
        try:
            return await self._until_sound(messages, count(1))
        except Fault as fault:
            most = self.evidence.attempts_after(fault)
            attempts = f"{most} attempts" if most > 1 else "one attempt"
            found, fix = f"{fault}, and no answer in {attempts}", fault.advice
        except OutOfPatience as out_of_patience:
            found, fix = str(out_of_patience), Fault.advice
        except InputError as error:
            self._failure = error
            raise
        self._failure = self._settings.unfit(found=found, expected="an answer", fix=f"{fix} {KEPT}")
        raise self._failure

    @retry(
        retry=retry_if_exception_type(Fault),
        stop=_is_over,
        wait=BACK_OFF,
        reraise=True,
        before_sleep=_tell_retry,
    )
    async def _until_sound(self, messages: Messages, attempts: Iterator[int]) -> str:
        return await self.ask_once(messages, number=next(attempts))

    @retry(retry=retry_if_exception_type(AskAgain), wait=BACK_OFF)
    async def ask_once(self, messages: Messages, *, number: int = 1) -> str:
        """Return the response to `messages` at one attempt.

        Raises `Fault` and `OutOfPatience` if another may be answered, and `InputError` if none is.
        """
        async with self._slots.one():
            await self._pause.over()
            if self._failure:
                raise self._failure
            response = await self._completion(messages, number=number)
        self._pause.note_answer()
        return response

    async def _completion(self, messages: Messages, *, number: int, scored: bool = True) -> str:
        lessons, asked = list(self._dialect.lessons), self._count_tokens(messages)
        fails = FAILING in lessons and number > 1
        wanted = scored and not fails and self._positions is not None
        body = self._dialect.body(self._request, messages, scored=wanted)
        document, reservation = await self._line.ask(body, asked=asked)
        if isinstance(document, Refusal):
            last = number >= self.evidence.attempts
            attempt = Attempt(messages, body, lessons, number, last=last, scored=scored)
            return await self._without_completion(document, reservation, attempt)
        tokens = self._line.tokens(document, asked=asked)
        try:
            positions = self._positions.find(document) if self._positions else []
            response = response_of(
                document,
                tokens=tokens,
                positions=positions,
                begin_inside=self._begins_inside(document),
                is_unseen=self._is_unseen(document, asked=asked),
                hide=self._settings.hide,
            )
        except Fault:
            await self._line.settle(reservation, tokens)
            raise
        try:
            await self._line.settle(reservation, tokens, answers=1)
        except InputError as error:
            # The answer is stored, and its price remains reserved.
            warn("%s", error)
            self._failure = error
        if not scored:
            logging.info("%s: answers what it failed at with log-probabilities", self.location)
            self._dialect.learn_failing(at_some=self.evidence.scored)
        self.evidence.note_answer(number=number, scored="logprobs" in body)
        self._dialect.note()
        return response

    def _begins_inside(self, document: Mapping[str, Any]) -> bool:
        """Return whether the server's answers begin inside thoughts, by this or an earlier one."""
        if BEGUN not in self._dialect.lessons and begins_inside(answer_of(document)):
            self._dialect.lessons.append(BEGUN)
        return BEGUN in self._dialect.lessons

    def _is_unseen(self, document: Mapping[str, Any], *, asked: int) -> bool:
        """Return whether the server has cut the prompt, by its counts; warn at the first time."""
        count = asked_tokens(document)
        if self._ceiling.found(ours=asked, theirs=count) and count != self._dialect.window:
            self._dialect.window = count
            cut = self._settings.unfit(
                found=f"a server that reads {count} tokens of a prompt, by its own count, and cuts "
                "longer ones",
                expected=f"one that reads {asked}",
                fix="Let it read more, under another name or address, or lower context_tokens to "
                "what it reads. If you run again unchanged, answers to such prompts do not count.",
            )
            warn("%s", cut)
            # Earlier answers were parsed without this knowledge.
            self._failure = cut if self._dialect.is_noted else None
        return count > 0 and count == self._dialect.window

    async def _without_completion(
        self, refusal: Refusal, reservation: int | None, attempt: Attempt
    ) -> str:
        """Return the response that a refusal stands for, or raise the matching exception."""
        # An endpoint that refuses a parameter has processed nothing.
        unprocessed = FREE if 400 <= refusal.status < 500 else None
        if self._has_learnt(attempt) and (attempt.last or not refusal.passes):
            await self._line.settle(reservation, unprocessed)
            raise AskAgain
        cause, parts = await self._cause_of(refusal, attempt)
        billed = None if refusal.may_be_billed else FREE
        failed = refusal.may_last and not (refusal.hints_at_filter or refusal.is_cut)
        if cause is Cause.PROMPT and failed and "logprobs" in attempt.body:
            # Some servers fail at log-probabilities that are infinite.
            await self._line.settle(reservation, billed)
            return await self._completion(attempt.messages, number=attempt.number, scored=False)
        if cause is Cause.PROMPT:
            await self._line.settle(reservation, billed, answers=1)
            return refused_response(refusal)
        await self._line.settle(reservation, unprocessed if parts else billed)
        has_learnt = cause is not Cause.FOUND and self._has_learnt(attempt)
        if has_learnt and (parts or attempt.last or not refusal.passes):
            raise AskAgain
        if cause is Cause.NAMED:
            self._dialect.lessons.extend(parts)
        if parts:
            self._tell_learnt(parts, refusal)
        if cause is Cause.CHANCE:
            self.evidence.note_chance()
            raise Fault(str(refusal))
        if refusal.passes:
            self._wait(refusal)
        expected, fix = refusal.remedy
        raise self._settings.unfit(found=str(refusal), expected=expected, fix=f"{fix} {KEPT}")

    async def _cause_of(self, refusal: Refusal, attempt: Attempt) -> tuple[Cause, list[str]]:
        """Return the cause of a refusal, and the parts of the request that are refused."""
        if refusal.is_filter or refusal.is_cut or (refusal.may_last and not attempt.scored):
            return Cause.PROMPT, []
        shown = self.evidence
        named = self._dialect.named(refusal, body=attempt.body, but=shown.accepted(attempt))
        lasts = attempt.last and refusal.may_last
        if (refusal.hints_at_filter or not named) and refusal.may_be_of_call(lasts=lasts):
            doubted = shown.doubts(refusal, attempt)
            if doubted and shown.reached:
                return Cause.CHANCE, []
            is_harmless = attempt.messages == harmless(attempt.messages)
            answered = not is_harmless and await self._is_answered(self._dialect, attempt)
            shown.reached |= answered
            if answered and refusal.is_of_input and not doubted:
                return Cause.PROMPT, []
            if not (answered or named) and (attempt.last or not shown.answered):
                found = await self._refused_parts(attempt)
                if found:
                    return Cause.FOUND, found
            if shown.reached and shown.doubts(refusal, attempt, ever=True):
                return Cause.CHANCE, []
        return (Cause.NAMED, [named]) if named else (Cause.ELSE, [])

    def _has_learnt(self, attempt: Attempt) -> bool:
        """Return whether a concurrent call has learnt something since the attempt."""
        return self._dialect.lessons != attempt.lessons

    async def _is_answered(self, dialect: Dialect, attempt: Attempt) -> bool:
        """Return whether the endpoint answers a harmless question in the form of `attempt`."""
        messages = harmless(attempt.messages)
        asked = self._count_tokens(messages)
        body = dialect.body(self._request, messages, scored=self._positions is not None)
        document, reservation = await self._line.ask(body, asked=asked)
        if not isinstance(document, Refusal):
            await self._line.settle(reservation, self._line.tokens(document, asked=asked))
            return True
        await self._line.settle(reservation, None if document.may_be_billed else FREE)
        if document.passes and not (attempt.last and document.may_last):
            self._wait(document)
        return False

    async def _refused_parts(self, attempt: Attempt) -> list[str]:
        """Return the parts without which the endpoint answers, searched for once."""
        async with self._search:
            if self.evidence.searched or self._has_learnt(attempt):
                return []
            parts = await refused_parts(
                self._dialect,
                attempt.body,
                is_answered=lambda other: self._is_answered(other, attempt),
                but=self.evidence.accepted(attempt),
            )
            if not self.evidence.accepted(attempt).isdisjoint(parts):
                return []
            self.evidence.searched = True
            # At once, as others wait for it.
            self._dialect.lessons.extend(parts)
        return parts

    def _tell_learnt(self, parts: Sequence[str], refusal: Refusal) -> NoReturn:
        named = ", ".join(f"`{part}`" for part in dict.fromkeys(parts))
        logging.info("%s: %s; asked without %s from now on", self.location, refusal, named)
        if CHANGING.isdisjoint(parts):
            raise AskAgain
        raise Learnt(
            where=self.location,
            found=str(refusal),
            expected=f"a server that accepts {named}",
            fix=f"Run again: it is then asked without it. {KEPT}",
        )

    def _wait(self, refusal: Refusal) -> NoReturn:
        if not self._settings.patient:
            raise OutOfPatience(str(refusal))
        try:
            self._pause.prolong(refusal.wait_s)
        except OutOfPatience as out_of_patience:
            raise OutOfPatience(f"{refusal}, and {out_of_patience}") from None
        if refusal.is_limit:
            raise AskAgain
        raise (Foreign if refusal.foreign else Fault)(str(refusal))
