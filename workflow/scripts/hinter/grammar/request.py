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
"""How LanguageTool refuses a text that is over its limit or on which a rule fails."""


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

    Raises `RefusedError` where it refuses the text, and `NoAnswerError` where it does not answer
    within `seconds` or is not LanguageTool.
    """
    form = {"language": LANGUAGE, "text": text, "disabledRules": ",".join(left_out)}
    try:
        response = requests.post(urljoin(url, "v2/check"), data=form, timeout=seconds)
        if response.status_code in REFUSALS:
            raise RefusedError(response.text)
        response.raise_for_status()
        return _to_answer(response.json())
    # The program that answers may not be LanguageTool at all.
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
