"""Make single calls to an endpoint, with the price reserved before and settled after each."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.request import getproxies

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI

from ...job import warn
from .bodies import Fault, document_of
from .budget import Spending
from .completions import SLACK, Tokens, tokens_of
from .http_errors import Refusal, refusal_in, refusal_of
from .pausing import OutOfTime, retry_after_s
from .settings import EndpointSettings, Moved, TooLarge, was_sent

KEPT = "All answers are kept: the next run continues from there."
FREE = Tokens(0, 0)
CACHED, HIT = "cached by", re.compile(r"\b(?:hit|true)\b", re.IGNORECASE)
"""The key of an answer from a cache, by which header of a gateway it says so, and what it says."""


class NoAnswerInTime(Fault, OutOfTime):
    """The endpoint was too slow."""

    advice = "Lower `concurrency` or raise `timeout_seconds`."


class Line:
    """Calls of a model, which the account identifies by its `fingerprint`."""

    def __init__(
        self,
        client: AsyncOpenAI,
        settings: EndpointSettings,
        *,
        spending: Spending | None,
        fingerprint: str,
    ) -> None:
        self._client, self._settings = client, settings
        self._spending, self._fingerprint = spending, fingerprint
        self._doubted = False

    async def ask(
        self, body: Mapping[str, Any], *, asked: int
    ) -> tuple[dict[str, Any] | Refusal, int | None]:
        """Return the answer to a body of `asked` tokens, and the reservation to settle.

        Raises `Fault`, after the reservation has been released if nothing was sent.
        """
        reservation = None
        if self._spending is not None:
            # In a thread, as other jobs may hold the ledger while answers keep arriving.
            reservation = await asyncio.to_thread(
                self._spending.reserve,
                input_tokens=asked,
                output_tokens=self._settings.max_answer_tokens,
            )
        try:
            return await post(self._client, body, hide=self._settings.hide), reservation
        except APIConnectionError as error:
            if not was_sent(error.request):
                await self.settle(reservation, FREE)
            raise self._fault_of(error) from None

    def tokens(self, document: Mapping[str, Any], *, asked: int) -> Tokens | None:
        """Return the tokens that the endpoint counts, and warn of the first implausible count."""
        # Another tokenizer, or a system prompt of the endpoint, may add tokens to a prompt.
        limit = self._settings.max_answer_tokens
        most = Tokens(2 * self._settings.context_tokens, limit + SLACK)
        tokens = tokens_of(document, asked=asked, at_most=most)
        if self._spending and document.get("usage") and not tokens and not self._doubted:
            self._doubted = True
            warn(
                "%s: its counts of tokens cannot be true. The budget counts such calls with their "
                "reservation, with %d tokens for the answer; they may cost more",
                *(self._settings.location, limit),
            )
        return tokens

    async def settle(
        self, reservation: int | None, tokens: Tokens | None, *, answers: int = 0
    ) -> None:
        """Settle a call by its tokens; if they are unknown, its reservation remains."""
        if self._spending is not None and reservation is not None:
            await asyncio.to_thread(
                self._spending.settle,
                reservation,
                tokens,
                fingerprint=self._fingerprint,
                answers=answers,
            )

    def _fault_of(self, error: APIConnectionError) -> Exception:
        if isinstance(error, APITimeoutError):
            return NoAnswerInTime(f"no answer within {self._settings.timeout_seconds:g} s")
        if isinstance(error.__cause__, Moved):
            fix = f"Correct base_url. {KEPT}"
            moved = str(error.__cause__)
            return self._settings.unfit(found=moved, expected="the address itself", fix=fix)
        if isinstance(error.__cause__, TooLarge):
            return Fault(f"an answer of {error.__cause__}")
        found, fix, passes = connection_remedy(error, local=self._settings.is_local)
        if passes:
            return Fault(found.replace("no connection", "a broken connection"))
        return self._settings.unfit(found=found, expected="one that is", fix=f"{fix} {KEPT}")


async def post(
    client: AsyncOpenAI, body: Mapping[str, Any], *, hide: Callable[[str], str]
) -> dict[str, Any] | Refusal:
    """Return an endpoint's answer to a body; raises `Fault` if it is not a JSON object."""
    path = "/chat/completions" if "messages" in body else "/completions"
    try:
        answer = await client.post(path, body=body, cast_to=httpx2.Response)
    except APIStatusError as error:
        text = error.response.text
        wait_s = retry_after_s(error.response.headers, said=text)
        return refusal_of(error.status_code, text, hide=hide, wait_s=wait_s)
    try:
        document = document_of(answer.content)
    except Fault as fault:
        raise type(fault)(hide(str(fault))) from None
    headers = answer.headers.items()
    hits = [name for name, value in headers if "cache" in name and HIT.search(value)]
    return refusal_in(document, hide=hide) or {**document, CACHED: ", ".join(hits)}


def connection_remedy(error: BaseException, *, local: bool) -> tuple[str, str, bool]:
    """Return why a connection failed, what to do, and whether the failure may pass."""
    causes = list(_causes(error))
    for cause in causes:
        if "CERTIFICATE_VERIFY_FAILED" in str(cause):
            why = str(cause).rpartition("failed: ")[2].partition(" (_ssl")[0]
            fix = "Set SSL_CERT_FILE to a file with the certificate, or with that of its authority."
            return f"a certificate that is not trusted ({why})", fix, False
    found = f"no connection ({type(causes[:2][-1]).__name__})"
    fix = "Start it, or correct base_url."
    proxies = sorted({} if local else getproxies().keys() - {"no"})
    if proxies:
        named = ", ".join(f"{name}_proxy" for name in proxies)
        found, fix = f"{found} through a proxy ({named})", f"{fix} no_proxy names direct addresses."
    return found, fix, True


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
