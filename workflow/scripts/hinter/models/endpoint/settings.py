"""The address of a model behind an endpoint, how it is asked, and the HTTP client of all calls.

Each call has a deadline and a size limit, and records whether it was sent. The deadline is for the
whole call, from the connection to the last byte, as a server may send single bytes forever. The
size limit is for the decompressed body, as a small body may decompress to any size.
"""

import asyncio
import logging
import os
import ssl
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from ipaddress import ip_address
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import httpx2
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from ...errors import InputError, hide_password
from .bodies import MAX_BODY_BYTES

SENT = "hinter_sent"

NO_KEY = "no-key"
TRUSTED = ("SSL_CERT_FILE", "SSL_CERT_DIR")
SECRET_CHARACTERS = 8
"""Shorter keys are placeholders, such as EMPTY."""


class TooLarge(httpx2.RequestError):
    """A body is larger than `MAX_BODY_BYTES`."""


class Moved(httpx2.RequestError):
    """A redirection by which a question is lost: the next call only gets a page."""


class BoundedClient(DefaultAsyncHttpxClient):
    """A client whose calls take at most `seconds`, including redirections.

    The proxies of the environment are not used for the host `direct`. `anonymous` calls have no key
    in the usual header. Without `trusted` certificates, they are parsed once a connection needs
    them, such as after a redirection.
    """

    def __init__(
        self, seconds: float, *, direct: str | None, anonymous: bool, trusted: ssl.SSLContext | None
    ) -> None:
        mounts = {f"all://{direct}": None} if direct else None
        # The annotations of the client lack None.
        verify: Any = trusted
        super().__init__(timeout=seconds, mounts=mounts, verify=verify)
        self._seconds, self._anonymous = seconds, anonymous

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        """Return the complete response to a request, even if it is requested as a stream.

        Raises `httpx2.ReadTimeout` after the deadline, `TooLarge` and `Moved`.
        """
        if self._anonymous:
            request.headers.pop("Authorization", None)
        request.extensions = {**request.extensions, "trace": _note_sending(request)}
        try:
            async with asyncio.timeout(self._seconds):
                response = await super().send(request, stream=True, **options)
                return await _read(response, asked=request)
        except TimeoutError:
            raise httpx2.ReadTimeout("the deadline is over", request=request) from None
        except httpx2.ConnectError as error:
            _check_method(error.request, asked=request)
            raise


def was_sent(request: httpx2.Request) -> bool:
    """Return whether any byte of a request, or of one that it was redirected to, was sent."""
    return SENT in request.extensions


def _note_sending(request: httpx2.Request) -> Callable[[str, Any], Awaitable[None]]:
    async def trace(event: str, _: Any) -> None:
        if event.endswith("send_request_headers.started"):
            request.extensions[SENT] = True

    return trace


def _check_method(request: httpx2.Request, *, asked: httpx2.Request) -> None:
    if request.method != asked.method:
        address = request.url.copy_with(query=None)
        raise Moved(f"a redirection to {address}", request=asked)


async def _read(response: httpx2.Response, *, asked: httpx2.Request) -> httpx2.Response:
    body = bytearray()
    try:
        _check_method(response.request, asked=asked)
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


# A line for every call would flood the log of a job.
logging.getLogger("httpx2").setLevel(logging.WARNING)


class EndpointSettings(NamedTuple):
    """The address of a model and how it is asked.

    `key_variable` is the name of the environment variable with the key, or None if none is needed.
    `headers` has such variables for further headers. `parameters` are merged into each request,
    without those that are None. Without `chat`, the model continues a plain text; without
    `system_turn`, the instruction is in the first question. `context_tokens` is the limit for
    prompt and answer together, `max_tokens` that for the text by itself. With `patient`, calls are
    repeated after faults that may pass.
    """

    base_url: str
    model: str
    context_tokens: int
    max_answer_tokens: int = 16
    max_tokens: int | None = None
    key_variable: str | None = None
    temperature: float | None = 0.0
    seed: int | None = None
    concurrency: int = 32
    timeout_seconds: float = 120.0
    chat: bool = True
    system_turn: bool = True
    parameters: Mapping[str, Any] = MappingProxyType({})
    headers: Mapping[str, str] = MappingProxyType({})
    patient: bool = True

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any], **settings: Any) -> "EndpointSettings":
        """Return the settings in a model's entry in the models sheet, and further `settings`."""
        known = {key: value for key, value in sheet.items() if key in cls._fields}
        return cls(**known, **settings)

    @property
    def location(self) -> str:
        """The name of the endpoint in messages."""
        return f"endpoint {hide_password(self.base_url)}, model {self.model}"

    def client(self) -> AsyncOpenAI:
        """Return a client with the key.

        Raises `InputError` if a key is named but missing, and for a password in the address.
        """
        if hide_password(self.base_url) != self.base_url:
            raise self.unfit(
                found="a user or a password in base_url",
                expected="an address without them",
                fix="Put the key into the environment variable that key_variable names.",
            )
        address = urlsplit(self.base_url)
        return AsyncOpenAI(
            base_url=address._replace(query="").geturl(),
            default_query=dict(parse_qsl(address.query)),
            default_headers={name: _key(variable) for name, variable in self.headers.items()},
            api_key=_key(self.key_variable),
            max_retries=0,
            http_client=BoundedClient(
                self.timeout_seconds,
                direct=address.hostname if self.is_local else None,
                # If the key is in another header, none is sent in the usual one.
                anonymous=bool(self.headers) and self.key_variable is None,
                trusted=_trusted(*(os.environ.get(name) for name in TRUSTED))
                if address.scheme == "https"
                else None,
            ),
        )

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    @property
    def without(self) -> list[str]:
        """The features that the server lacks: chats, or system messages."""
        return [*([] if self.chat else ["chat"]), *([] if self.system_turn else ["system"])]

    def request(self) -> dict[str, Any]:
        """Return the parameters of each call."""
        temperature = None if self.temperature is None else float(self.temperature)
        ours = {
            "model": self.model,
            "temperature": temperature,
            "max_tokens": self.max_answer_tokens,
            "seed": self.seed,
        }
        merged = {**ours, **self.parameters}
        return {key: value for key, value in merged.items() if value is not None}

    def hide(self, text: str) -> str:
        """Return `text` without the keys, which some endpoints repeat."""
        for variable in filter(None, (self.key_variable, *self.headers.values())):
            key = os.environ.get(variable, "")
            if len(key) >= SECRET_CHARACTERS:
                text = text.replace(key, "(the key)")
        return text

    def unfit(self, *, found: str, expected: str, fix: str) -> InputError:
        """Return an error about the endpoint."""
        return InputError(where=self.location, found=found, expected=expected, fix=fix)


@cache
def _trusted(*_: str | None) -> ssl.SSLContext:
    """Return the certificates that the variables `TRUSTED` name, or those of the system.

    To parse them takes longer than many a call, so all clients share them.
    """
    return httpx2.create_ssl_context()


def _key(variable: str | None) -> str:
    if variable is None:
        return NO_KEY
    key = os.environ.get(variable, "")
    if key and key.isascii() and key.isprintable() and " " not in key:
        return key
    raise InputError(
        where=f"environment variable {variable}",
        # The message never contains the value.
        found="characters that a key cannot have" if key else "nothing",
        expected="the key of the endpoint",
        fix=f"Set it: export {variable}=...",
    )
