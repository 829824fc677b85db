"""One request to a LanguageTool server by the client of language-tool-python, and its answer.

The package makes the form of a request and reads the matches of an answer. This module adds what it
lacks: by itself it waits as long as bytes arrive, reads an answer of any size, distinguishes a
refused text from a silent server only by the wording of an error, and forgets which release
answered. Its own server takes a port of a fixed range, has 15 seconds to start, and outlives a job
that is killed: see `server`.
"""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any, Literal, NamedTuple

import requests
from language_tool_python import LanguageTool, Match
from urllib3.exceptions import HTTPError

LANGUAGE = "en-US"
REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.INTERNAL_SERVER_ERROR,
)
"""The statuses of a text that is over LanguageTool's limit or on which a rule fails."""

MOST_BYTES = 64 * 2**20
"""Far more than the matches in any one unit take."""
BYTES_AT_ONCE = 2**16
# A compressed answer could expand to any size.
HEADERS = {"Accept-Encoding": "identity"}


class Answer(NamedTuple):
    """A server's name, version and build, and its matches with their offsets in the text."""

    release: str
    matches: list[Match]


class RefusedError(Exception):
    """The server refuses the text."""


class NoAnswerError(Exception):
    """No answer, or one that is not LanguageTool's."""


class BoundedClient(LanguageTool):
    """A client of the server at `url` that does not apply the rules `left_out`.

    `release` is the server's name, version and build, once it has answered.
    """

    def __init__(self, url: str, *, left_out: set[str], seconds: float) -> None:
        self.release = ""
        self._seconds = seconds
        super().__init__(LANGUAGE, remote_server=url)
        self.disabled_rules = left_out

    def _get_languages(self) -> set[str]:
        # This saves a request: the server refuses a text whose language it does not know.
        return {LANGUAGE}

    def _query_server(
        self,
        url: str,
        params: dict[str, str] | None = None,
        num_tries: int = 1,
        method: Literal["get", "post"] = "post",
    ) -> Any:
        answer = ask(url, params or {}, seconds=self._seconds)
        software = answer["software"]
        self.release = f"{software['name']} {software['version']} of {software['buildDate']}"
        return answer


def ask_server(url: str, text: str, *, left_out: Sequence[str], seconds: float) -> Answer:
    """Return the matches that the server at `url` finds in a text, without the rules `left_out`.

    Raises `RefusedError`, and `NoAnswerError` if there is no complete answer within `seconds`, or
    one of more than `MOST_BYTES`, or one that is not LanguageTool's.
    """
    try:
        client = BoundedClient(url, left_out={*left_out}, seconds=seconds)
        matches = client.check(text)
        return Answer(client.release, matches)
    # Another program may answer at this address.
    except (
        requests.RequestException,
        HTTPError,
        ValueError,
        LookupError,
        TypeError,
        RecursionError,
    ) as error:
        raise NoAnswerError(f"{type(error).__name__}: {error}") from error


def ask(address: str, form: Mapping[str, str], *, seconds: float) -> Any:
    """Send a form and return the JSON document of the answer; raise `RefusedError` if refused."""
    end = monotonic() + seconds
    with requests.post(
        address, data=form, headers=HEADERS, timeout=seconds, stream=True
    ) as response:
        body = _body(response, end=end)
    if response.status_code in REFUSALS:
        raise RefusedError(body.decode(errors="replace"))
    response.raise_for_status()
    return json.loads(body)


def _body(response: requests.Response, *, end: float) -> bytes:
    """Return the body that arrives before the time `end`: `requests` only times single chunks."""
    body = bytearray()
    while part := response.raw.read1(BYTES_AT_ONCE):
        body += part
        if len(body) > MOST_BYTES:
            raise NoAnswerError(f"more than {MOST_BYTES} bytes")
        if monotonic() > end:
            raise NoAnswerError(f"an answer that takes too long ({len(body)} bytes received)")
    return bytes(body)
