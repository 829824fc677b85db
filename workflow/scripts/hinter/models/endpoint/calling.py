"""One chat completion of an endpoint: asked again after faults that may pass, paid for once.

A limit on the rate (HTTP 429) is no fault: the call is put off, with all others where the endpoint
says for how long. The one policy of retries is here; the client has none.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI
from tenacity import (
    before_sleep_log,
    retry,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)

from ...errors import InputError
from .budget import Spending
from .completions import Fault, filtered_response, response_of, tokens_of
from .pausing import OutOfPatience, Pause, retry_after_s

Messages = Sequence[Mapping[str, str]]

MAX_ATTEMPTS = 8
BACK_OFF = wait_random_exponential(multiplier=0.5, max=60)
"""Seconds between attempts: at random up to 0.5, 1, 2, ... 60 (full jitter)."""

PASSING = {408, 409, 425}
"""HTTP statuses below 500 that may pass."""

KEPT = "All answers are kept: the next run goes on from there."
SHOWN_CHARACTERS = 300
EXPECTED = {
    400: "a request that it accepts",
    401: "a key that it accepts",
    403: "a key that may use the model",
    404: "a model that it serves at this address",
    429: "an account with credit left",
}
FIXES = {
    400: "Correct the model's entry: context_tokens, where the prompt is too long.",
    401: "Put a valid key into the environment variable that key_variable names.",
    403: "Put another key into the environment variable that key_variable names.",
    404: "Correct base_url (mostly it ends in /v1) or the model's name.",
    429: "Fill up the account, or use another key.",
}


class Limited(Exception):
    """The endpoint has answered too many calls for now."""


class Caller:
    """Calls to one endpoint; `place` names it in errors, `request` holds all but the messages.

    `count_tokens` returns an upper bound on the tokens of messages, for the worst case of a price.
    """

    def __init__(
        self,
        client: AsyncOpenAI,
        *,
        place: str,
        request: Mapping[str, Any],
        count_tokens: Callable[[Messages], int],
        spending: Spending | None,
    ) -> None:
        self._client = client
        self._place = place
        self._request = request
        self._count_tokens = count_tokens
        self._spending = spending
        self._pause = Pause()

    async def response(self, messages: Messages) -> str:
        """Return the response to `messages`; raises `InputError` where there will be none."""
        try:
            return await self._until_sound(messages)
        except Fault as fault:
            found = f"{fault}, and no answer in {MAX_ATTEMPTS} attempts"
        except OutOfPatience as out_of_patience:
            found = str(out_of_patience)
        raise InputError(
            where=self._place, found=found, expected="an answer", fix=f"Try again later. {KEPT}"
        )

    @retry(
        retry=retry_if_exception_type(Fault),
        stop=stop_after_attempt(MAX_ATTEMPTS),
        wait=BACK_OFF,
        reraise=True,
        before_sleep=before_sleep_log(logging.getLogger(__name__), logging.INFO),
    )
    async def _until_sound(self, messages: Messages) -> str:
        return await self._once_allowed(messages)

    @retry(retry=retry_if_exception_type(Limited), wait=BACK_OFF)
    async def _once_allowed(self, messages: Messages) -> str:
        await self._pause.over()
        reservation = await self._reserve(messages)
        response = await self._completion(messages, reservation)
        self._pause.note_answer()
        return response

    async def _completion(self, messages: Messages, reservation: int | None) -> str:
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                **{**self._request, "messages": messages}
            )
        except APITimeoutError:
            raise Fault("no answer in time") from None
        except APIConnectionError as error:
            raise Fault(f"a broken connection ({type(error.__cause__).__name__})") from None
        except APIStatusError as error:
            # An error is not billed; what is cut off or garbled may be.
            await self._settle(reservation, (0, 0))
            return self._without_completion(error)
        response = response_of(raw.content)
        await self._settle(reservation, tokens_of(response))
        return response

    def _without_completion(self, error: APIStatusError) -> str:
        """Return the response that an HTTP error is, or raise what is to be done about it."""
        status, said = error.status_code, self._said(error)
        if error.code == "content_filter":
            return filtered_response(said)
        out_of_credit = error.code == "insufficient_quota"
        if (status == 429 and not out_of_credit) or status >= 500 or status in PASSING:
            self._pause.prolong(retry_after_s(error.response.headers))
            raise Limited if status == 429 else Fault(f"HTTP {status}: {said}")
        raise InputError(
            where=self._place,
            # Endpoints are known to repeat a wrong key.
            found=f"HTTP {status}" if status in {401, 403} else f"HTTP {status}: {said}",
            expected=EXPECTED.get(status, EXPECTED[400]),
            fix=f"{FIXES.get(status, FIXES[400])} {KEPT}",
        ) from None

    def _said(self, error: APIStatusError) -> str:
        body = error.body
        said = body.get("message") if isinstance(body, dict) else body
        line = " ".join(str(said).replace(self._client.api_key, "(the key)").split())
        return line[:SHOWN_CHARACTERS]

    async def _reserve(self, messages: Messages) -> int | None:
        if self._spending is None:
            return None
        # In a thread: other jobs may hold the ledger, and answers go on coming.
        return await asyncio.to_thread(
            self._spending.reserve,
            input_tokens=self._count_tokens(messages),
            output_tokens=self._request["max_tokens"],
        )

    async def _settle(self, reservation: int | None, tokens: tuple[int, int] | None) -> None:
        if self._spending is None or reservation is None or tokens is None:
            return
        await asyncio.to_thread(
            self._spending.settle, reservation, input_tokens=tokens[0], output_tokens=tokens[1]
        )
