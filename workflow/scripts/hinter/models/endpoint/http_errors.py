"""What HTTP errors of an endpoint mean: whether they pass, whether they cost, and what to do.

Azure OpenAI documents ("manage costs") that it charges for what it has processed, whatever the
status: for a 400 by its content filter or for too long a prompt, and for a 408, but not for a 401
or a 429. OpenRouter documents that it does not charge for calls that fail. So errors without
processing count as not billed: all below 500 except 400 and 408, and 503 and 529, with which an
endpoint refuses calls. For 400, 408 and all others from 500 on, it may charge.
"""

from collections.abc import Callable
from typing import NamedTuple

from openai import APIStatusError

PASSING = {408, 409, 425}
"""HTTP statuses below 500 that may pass."""
PROCESSED = {400, 408}
UNAVAILABLE = {503, 529}

SHOWN_CHARACTERS = 300


class Remedy(NamedTuple):
    """What was expected of a call that an endpoint refused, and what to do."""

    expected: str
    fix: str


REMEDIES = {
    400: Remedy(
        "a request that it accepts",
        "Correct the model's entry: context_tokens, if the prompt is too long.",
    ),
    401: Remedy(
        "a key that it accepts",
        "Put a valid key into the environment variable that key_variable names.",
    ),
    403: Remedy(
        "a key that may use the model",
        "Put another key into the environment variable that key_variable names.",
    ),
    404: Remedy(
        "a model that it serves at this address",
        "Correct base_url (it usually ends in /v1) or the model's name.",
    ),
    429: Remedy("an account with credit left", "Add credit to the account, or use another key."),
}


def remedy_for(status: int) -> Remedy:
    """Return what to do about an error that does not pass."""
    return REMEDIES.get(status, REMEDIES[400])


def passes(error: APIStatusError) -> bool:
    """Tell whether an error may pass: a rate limit does, an empty account does not."""
    limited = error.status_code == 429 and error.code != "insufficient_quota"
    return limited or error.status_code >= 500 or error.status_code in PASSING


def may_be_billed(status: int) -> bool:
    """Tell whether an endpoint may charge for a call that ended with this status."""
    return status in PROCESSED or (status >= 500 and status not in UNAVAILABLE)


def said_by(error: APIStatusError, *, hide: Callable[[str], str]) -> str:
    """Return what an endpoint says about an error, in one line with secrets hidden."""
    body = error.body
    if isinstance(body, dict):
        body = body.get("message") or body.get("detail")
    said = body if isinstance(body, str) else error.response.text
    return " ".join(hide(said).split())[:SHOWN_CHARACTERS]


def shown(status: int, said: str) -> str:
    """Return a status with what the endpoint says about it."""
    # Some endpoints repeat a wrong key, or parts of it.
    return f"HTTP {status}: {said}" if said and status not in {401, 403} else f"HTTP {status}"
