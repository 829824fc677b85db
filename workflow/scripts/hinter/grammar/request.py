"""One request to a server of LanguageTool, and what it answers."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urljoin

import requests
from urllib3.exceptions import HTTPError

LANGUAGE = "en-US"
REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.INTERNAL_SERVER_ERROR,
)
"""How LanguageTool refuses a text that is over its limit or on which a rule fails."""

MOST_BYTES = 64 * 2**20
"""Much more than the matches in any one unit ever take."""
BYTES_AT_ONCE = 2**16
# What is packed could unpack to any size.
HEADERS = {"Accept-Encoding": "identity"}


class Match(NamedTuple):
    """A match of a rule; the offset counts UTF-16 code units of the text, as Java does."""

    offset: int
    category: str
    rule: str


class Answer(NamedTuple):
    """The matches that a server finds, and its name, version and build."""

    release: str
    matches: list[Match]


class RefusedError(Exception):
    """The server refuses the text."""


class NoAnswerError(Exception):
    """No answer, or one that is not LanguageTool's."""


def ask_server(url: str, text: str, *, left_out: Sequence[str], seconds: float) -> Answer:
    """Return the matches that the server at `url` finds in a text, without the rules `left_out`.

    Raises `RefusedError`, and `NoAnswerError` where it says nothing within `seconds`, is not done
    after them, says more than `MOST_BYTES`, or something else.
    """
    form = {"language": LANGUAGE, "text": text, "disabledRules": ",".join(left_out)}
    address, end = urljoin(url, "v2/check"), monotonic() + seconds
    try:
        with requests.post(
            address, data=form, headers=HEADERS, timeout=seconds, stream=True
        ) as response:
            body = _body(response, end=end)
        if response.status_code in REFUSALS:
            raise RefusedError(body.decode(errors="replace"))
        response.raise_for_status()
        return _to_answer(json.loads(body))
    # What answers there may be no LanguageTool at all.
    except (
        requests.RequestException,
        HTTPError,
        ValueError,
        LookupError,
        TypeError,
        RecursionError,
    ) as error:
        raise NoAnswerError(f"{type(error).__name__}: {error}") from error


def _body(response: requests.Response, *, end: float) -> bytes:
    """Return what is sent until `end`, by the clock: the timeout of `requests` is each part's."""
    body = bytearray()
    while part := response.raw.read1(BYTES_AT_ONCE):
        body += part
        if len(body) > MOST_BYTES:
            raise NoAnswerError(f"more than {MOST_BYTES} bytes")
        if monotonic() > end:
            raise NoAnswerError(f"an answer that takes too long ({len(body)} bytes by now)")
    return bytes(body)


def _to_answer(answer: Any) -> Answer:
    software = answer["software"]
    return Answer(
        f"{software['name']} {software['version']} of {software['buildDate']}",
        [
            Match(match["offset"], match["rule"]["category"]["id"], match["rule"]["id"])
            for match in answer["matches"]
        ],
    )
