"""The HTTP client of all calls: each has a deadline and a size limit, and notes if it was sent.

The deadline is for the whole call, from the connection to the last byte, as a server may send a
byte now and then for ever. The size limit is for the unpacked body, as a small body may unpack to
any size.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
from openai import DefaultAsyncHttpxClient

MAX_BODY_BYTES = 8 * 2**20
"""Much more than any answer or list of models."""

SENT = "hinter_sent"


class TooLarge(httpx2.RequestError):
    """A body is larger than `MAX_BODY_BYTES`."""


class BoundedClient(DefaultAsyncHttpxClient):
    """A client whose calls take at most `seconds`, with all redirections."""

    def __init__(self, seconds: float) -> None:
        super().__init__(timeout=seconds)
        self._seconds = seconds

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        """Return the complete response to a request, whether it is asked for as a stream or not.

        Raises `httpx2.ReadTimeout` after the deadline, and `TooLarge`.
        """
        request.extensions = {**request.extensions, "trace": _note_sending(request)}
        try:
            async with asyncio.timeout(self._seconds):
                response = await super().send(request, stream=True, **options)
                return await _read(response)
        except TimeoutError:
            raise httpx2.ReadTimeout("the deadline is over", request=request) from None


def was_sent(request: httpx2.Request) -> bool:
    """Tell whether any byte of a request, or of one that it was redirected to, was sent."""
    return SENT in request.extensions


def _note_sending(request: httpx2.Request) -> Callable[[str, Any], Awaitable[None]]:
    async def trace(event: str, _: Any) -> None:
        if event.endswith("send_request_headers.started"):
            request.extensions[SENT] = True

    return trace


async def _read(response: httpx2.Response) -> httpx2.Response:
    body = bytearray()
    try:
        async for part in response.aiter_bytes():
            body += part
            if len(body) > MAX_BODY_BYTES:
                raise TooLarge(f"more than {MAX_BODY_BYTES} bytes", request=response.request)
    finally:
        await response.aclose()
    packing = {"content-encoding", "content-length", "transfer-encoding"}
    return httpx2.Response(
        response.status_code,
        headers=[item for item in response.headers.multi_items() if item[0] not in packing],
        content=bytes(body),
        request=response.request,
    )
