"""One chat completion of an endpoint: retried after passing faults, and paid for once.

A rate limit (HTTP 429) is not a fault: the call is postponed, and so are all others if the endpoint
says for how long. All retries are made here; the client makes none.

A call's reservation is settled by the endpoint's count of tokens, if that is plausible. It is
released if the call is known not to be billed: nothing was sent because there was no connection, or
the endpoint refused it (`http_errors` tells which refusals count). It stands if the call may be
billed: it was sent and got no complete answer (cut off, out of time, too large), it was answered
without a plausible count, or its job was killed.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI
from tenacity import (
    RetryCallState,
    retry,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)

from ...errors import InputError
from ...job import warn
from .budget import Spending
from .completions import (
    SLACK,
    Fault,
    Tokens,
    document_of,
    filtered_response,
    response_of,
    tokens_of,
)
from .http_errors import may_be_billed, passes, remedy_for, said_by, shown
from .label_places import LabelPlaces
from .pausing import OutOfPatience, OutOfTime, Pause, Slots, retry_after_s
from .settings import EndpointSettings, TooLarge, was_sent

Messages = Sequence[Mapping[str, str]]

MAX_ATTEMPTS = 8
BACK_OFF = wait_random_exponential(multiplier=0.5, max=60)
"""Seconds between attempts: random, up to 0.5, 1, 2, ... 60 (full jitter)."""

KEPT = "All answers are kept: the next run goes on from there."

LOGPROBS = [{"logprobs": True, "top_logprobs": number} for number in (20, 5)]
"""What is asked for beside an answer, in turn: the most that OpenAI gives, and that others do."""


class Limited(Exception):
    """The endpoint takes no more calls for now."""


class FewerLogprobs(Exception):
    """The endpoint refuses to give as many log-probabilities, or any."""


class NoAnswerInTime(Fault, OutOfTime):
    """The endpoint was too slow."""

    advice = "Lower `concurrency` or raise `timeout_seconds`."


def _tell_retry(state: RetryCallState) -> None:
    caller, fault = state.args[0], state.outcome.exception() if state.outcome else None
    logging.info("%s: %s; asked again in %.0f s", caller.place, fault, state.upcoming_sleep)


class Caller:
    """Calls to one endpoint.

    `request` holds everything but the messages. `count_tokens` returns an upper bound on the tokens
    of messages, for the highest possible price. With `places`, log-probabilities are asked for, as
    many as the endpoint gives. `fingerprint` names the model in the account.
    """

    def __init__(
        self,
        client: AsyncOpenAI,
        settings: EndpointSettings,
        *,
        request: Mapping[str, Any],
        count_tokens: Callable[[Messages], int],
        places: LabelPlaces | None,
        spending: Spending | None,
        fingerprint: str,
    ) -> None:
        self._client = client
        self._settings = settings
        self._request = request
        self._count_tokens = count_tokens
        self._places = places
        self._more: list[dict[str, Any]] = [*LOGPROBS, {}] if places else [{}]
        self._spending = spending
        self._fingerprint = fingerprint
        self._pause = Pause()
        self._slots = Slots(settings.concurrency, place=settings.place)
        self._failure: InputError | None = None
        self._doubted = False
        self.place = settings.place

    async def response(self, messages: Messages) -> str:
        """Return the response to `messages`; raises `InputError` where there will be none.

        After one failure no new call is made.
        """
        try:
            return await self._until_sound(messages)
        except Fault as fault:
            found, fix = f"{fault}, and no answer in {MAX_ATTEMPTS} attempts", fault.advice
        except OutOfPatience as out_of_patience:
            found, fix = str(out_of_patience), Fault.advice
        except InputError as error:
            self._failure = error
            raise
        self._failure = self._settings.unfit(found=found, expected="an answer", fix=f"{fix} {KEPT}")
        raise self._failure

    @retry(
        retry=retry_if_exception_type(Fault),
        stop=stop_after_attempt(MAX_ATTEMPTS),
        wait=BACK_OFF,
        reraise=True,
        before_sleep=_tell_retry,
    )
    async def _until_sound(self, messages: Messages) -> str:
        return await self._once_allowed(messages)

    @retry(retry=retry_if_exception_type((Limited, FewerLogprobs)), wait=BACK_OFF)
    async def _once_allowed(self, messages: Messages) -> str:
        async with self._slots.one():
            await self._pause.over()
            if self._failure:
                raise self._failure
            asked = self._count_tokens(messages)
            reservation = await self._reserve(asked)
            response = await self._completion(messages, reservation, asked=asked)
        self._pause.note_answer()
        return response

    async def _completion(self, messages: Messages, reservation: int | None, *, asked: int) -> str:
        more = self._more[0]
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                **{**self._request, **more, "messages": messages}
            )
        except APIConnectionError as error:
            if not was_sent(error.request):
                await self._settle(reservation, Tokens(0, 0))
            raise self._fault_of(error) from None
        except APIStatusError as error:
            if more and "logprobs" in error.response.text and not passes(error):
                # An endpoint that refuses a parameter has processed nothing.
                await self._settle(reservation, Tokens(0, 0))
                raise self._ask_for_less(than=more) from None
            return await self._without_completion(error, reservation)
        document = document_of(raw.content)
        tokens = self._tokens(document, asked=asked)
        try:
            places = self._places.find(document) if self._places else []
            response = response_of(document, tokens=tokens, places=places, hide=self._settings.hide)
        except Fault:
            await self._settle(reservation, tokens)
            raise
        try:
            await self._settle(reservation, tokens, answers=1)
        except InputError as error:
            # The answer is kept, and its price stays reserved.
            warn("%s", error)
            self._failure = error
        return response

    def _ask_for_less(self, *, than: Mapping[str, Any]) -> FewerLogprobs:
        # Of the calls in flight, only the first to be refused changes what is asked for.
        if self._more[0] is than:
            del self._more[0]
            fewer = self._more[0].get("top_logprobs", "no")
            logging.info("%s: asked for %s log-probabilities from now on", self.place, fewer)
        return FewerLogprobs()

    def _tokens(self, document: Mapping[str, Any], *, asked: int) -> Tokens | None:
        """Return the tokens that the endpoint counts, and warn of the first implausible count."""
        # Another tokenizer, or a system prompt of the endpoint, may add tokens to a prompt.
        most = Tokens(2 * self._settings.context_tokens, self._request["max_tokens"] + SLACK)
        tokens = tokens_of(document, asked=asked, at_most=most)
        if self._spending and document.get("usage") and not tokens and not self._doubted:
            self._doubted = True
            warn(
                "%s: its counts of tokens cannot be true. The budget counts such calls at what was "
                "reserved for them, with %d tokens for the answer; they may cost more",
                *(self.place, self._request["max_tokens"]),
            )
        return tokens

    def _fault_of(self, error: APIConnectionError) -> Fault:
        if isinstance(error, APITimeoutError):
            return NoAnswerInTime(f"no answer within {self._settings.timeout_seconds:g} s")
        if isinstance(error.__cause__, TooLarge):
            return Fault(f"an answer of {error.__cause__}")
        return Fault(f"a broken connection ({type(error.__cause__).__name__})")

    async def _without_completion(self, error: APIStatusError, reservation: int | None) -> str:
        """Return the response that an HTTP error stands for, or raise the matching exception."""
        status, said = error.status_code, said_by(error, hide=self._settings.hide)
        filtered = error.code == "content_filter"
        billed = filtered or may_be_billed(status)
        await self._settle(reservation, None if billed else Tokens(0, 0), answers=int(filtered))
        if filtered:
            return filtered_response(said)
        if passes(error):
            self._pause.prolong(retry_after_s(error.response.headers))
            raise Limited if status == 429 else Fault(shown(status, said))
        expected, fix = remedy_for(status)
        raise self._settings.unfit(
            found=shown(status, said), expected=expected, fix=f"{fix} {KEPT}"
        ) from None

    async def _reserve(self, asked: int) -> int | None:
        if self._spending is None:
            return None
        # In a thread: other jobs may hold the ledger, while answers keep coming.
        return await asyncio.to_thread(
            self._spending.reserve,
            input_tokens=asked,
            output_tokens=self._request["max_tokens"],
        )

    async def _settle(
        self, reservation: int | None, tokens: Tokens | None, *, answers: int = 0
    ) -> None:
        """Settle a call by its tokens; where they are not known, its reservation stands."""
        if self._spending is not None and reservation is not None:
            await asyncio.to_thread(
                self._spending.settle,
                reservation,
                tokens,
                fingerprint=self._fingerprint,
                answers=answers,
            )
