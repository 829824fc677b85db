"""One request to a server of LanguageTool, and what it answers."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urljoin

import requests

LANGUAGE = "en-US"
REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.INTERNAL_SERVER_ERROR,
)
"""By which LanguageTool refuses a text: one over its limit, or one on which a rule fails."""


class Match(NamedTuple):
    """A match of a rule; the offset counts UTF-16 code units of the text, as Java does."""

    offset: int
    category: str
    rule: str


class Answer(NamedTuple):
    """What a server finds, and its name, version and build."""

    release: str
    matches: list[Match]


class RefusedError(Exception):
    """The server refuses the text."""


class NoAnswerError(Exception):
    """Nothing that a server of LanguageTool would say."""


def ask_server(url: str, text: str, *, left_out: Sequence[str], seconds: float) -> Answer:
    """Return what the server at `url` says of a text under all rules but those of `left_out`.

    Raises `RefusedError`, and `NoAnswerError` where it says nothing within `seconds` or something
    else.
    """
    form = {"language": LANGUAGE, "text": text, "disabledRules": ",".join(left_out)}
    try:
        response = requests.post(urljoin(url, "v2/check"), data=form, timeout=seconds)
        if response.status_code in REFUSALS:
            raise RefusedError(response.text)
        response.raise_for_status()
        return _to_answer(response.json())
    # What answers there may be no LanguageTool at all.
    except (requests.RequestException, LookupError, TypeError) as error:
        raise NoAnswerError(f"{type(error).__name__}: {error}") from error


def _to_answer(answer: Any) -> Answer:
    software = answer["software"]
    return Answer(
        f"{software['name']} {software['version']} of {software['buildDate']}",
        [
            Match(match["offset"], match["rule"]["category"]["id"], match["rule"]["id"])
            for match in answer["matches"]
        ],
    )
