"""Request one chat completion from an endpoint: retry after temporary faults, and pay for it once.

A rate limit (HTTP 429) is not a fault: the call is postponed, and so are all others if the endpoint
says for how long. All retries are made here; the client makes none.

The reservation of a call is settled by the endpoint's count of tokens, if that is plausible. It is
released if the call is known not to be billed: nothing was sent because there was no connection, or
the endpoint refused it (`http_errors` says which refusals count). It remains if the call may be
billed: it was sent and got no complete answer (cut off, out of time, too large), it was answered
without a plausible count, or its job was killed.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import NoReturn

from tenacity import RetryCallState, retry, retry_if_exception_type, wait_random_exponential

from ...errors import InputError
from ...job import warn
from ..model import Learnt
from .bodies import Fault, Foreign
from .completions import refused_response
from .dialect import CHANGING, FAILING, Dialect, Messages
from .evidence import Attempt, Cause, Evidence, harmless
from .http_errors import Refusal
from .label_positions import LabelPositions
from .line import FREE, KEPT, Line
from .pausing import OutOfPatience, Pause, Slots
from .reading import Reader
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
        self._scored = positions is not None
        self._reader = Reader(settings, dialect=dialect, positions=positions)
        self._pause = Pause()
        self._slots = Slots(settings.concurrency, location=settings.location)
        self._failure: InputError | None = None
        self.location = settings.location
        self.evidence = Evidence(
            dialect, attempts=MAX_ATTEMPTS if settings.patient else 1, is_answered=self._is_answered
        )

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
        wanted = scored and not fails and self._scored
        body = self._dialect.body(self._request, messages, scored=wanted)
        document, reservation = await self._line.ask(body, asked=asked)
        if isinstance(document, Refusal):
            last = number >= self.evidence.attempts
            attempt = Attempt(messages, body, lessons, number, last=last, scored=scored)
            return await self._without_completion(document, reservation, attempt)
        tokens = self._line.tokens(document, asked=asked)
        try:
            response = self._reader.response(document, tokens=tokens, asked=asked)
        except Fault:
            await self._line.settle(reservation, tokens)
            raise
        self._failure = self._failure or self._reader.failure
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

    async def _without_completion(
        self, refusal: Refusal, reservation: int | None, attempt: Attempt
    ) -> str:
        """Return the response that a refusal stands for, or raise the matching exception."""
        # An endpoint that refuses a parameter has processed nothing.
        unprocessed = FREE if 400 <= refusal.status < 500 else None
        if self.evidence.has_learnt(attempt) and (attempt.last or not refusal.passes):
            await self._line.settle(reservation, unprocessed)
            raise AskAgain
        cause, parts = await self.evidence.cause_of(refusal, attempt)
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
        has_learnt = cause is not Cause.FOUND and self.evidence.has_learnt(attempt)
        if has_learnt and (parts or attempt.last or not refusal.passes):
            raise AskAgain
        if cause is Cause.NAMED:
            self._dialect.lessons.extend(parts)
        if parts:
            self._tell_learnt(parts, refusal)
        if cause is Cause.CHANCE:
            self.evidence.by_chance = True
            raise Fault(str(refusal))
        if refusal.passes:
            self._wait(refusal)
        expected, fix = refusal.remedy
        raise self._settings.unfit(found=str(refusal), expected=expected, fix=f"{fix} {KEPT}")

    async def _is_answered(self, dialect: Dialect, attempt: Attempt) -> bool:
        """Return whether the endpoint answers a harmless question in the form of `attempt`."""
        messages = harmless(attempt.messages)
        asked = self._count_tokens(messages)
        body = dialect.body(self._request, messages, scored=self._scored)
        document, reservation = await self._line.ask(body, asked=asked)
        if not isinstance(document, Refusal):
            await self._line.settle(reservation, self._line.tokens(document, asked=asked))
            return True
        await self._line.settle(reservation, None if document.may_be_billed else FREE)
        if document.passes and not (attempt.last and document.may_last):
            self._wait(document)
        return False

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
