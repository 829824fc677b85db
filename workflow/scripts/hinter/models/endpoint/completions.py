"""What an endpoint sends back, as a response: {"answer": ..., "finish": ..., "tokens": [in, out]}.

`finish` says why the answer ended. `tokens` is the endpoint's own count, null where it has none or
one that cannot be true. Where the endpoint gives log-probabilities, `labels` has those of labels at
the places where the answer names one (`label_places`).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..model import CUT
from .label_places import Place

RESPONSE_VERSION = 1
"""Counts up when the meaning of a response changes."""

REFUSALS = {"content_filter", "refusal"}
"""Ends without an answer: the endpoint's filter, and the model's own refusal."""

SLACK = 64
"""Tokens that an endpoint may count beside an answer's own, such as end marks."""
FEWEST = 1 / 4
"""The share of the prompt's tokens counted here, and of the answer's words, that an endpoint counts
at least: another tokenizer may make fewer."""


class Fault(Exception):
    """A fault that may pass: the call is made again. `advice` says what else may help."""

    advice = "Try again later."


class Tokens(NamedTuple):
    """Tokens of a prompt and an answer."""

    asked: int
    said: int


def document_of(content: bytes) -> dict[str, Any]:
    """Return the JSON object in the body of a chat completion; raises `Fault` if there is none."""
    try:
        document = json.loads(content.decode())
    except UnicodeDecodeError:
        raise Fault("an answer that is not UTF-8") from None
    except ValueError:
        raise Fault("an answer that is not JSON") from None
    except RecursionError:
        raise Fault("an answer that is nested too deeply") from None
    if not isinstance(document, dict):
        raise Fault("an answer without choices")
    return document


def tokens_of(document: Mapping[str, Any], *, asked: int, at_most: Tokens) -> Tokens | None:
    """Return the tokens that the endpoint counted, None where there is no plausible count.

    `asked` are those of the prompt as counted here, at most. Neither prompt nor answer has more
    than `at_most`, nor fewer than `FEWEST` allows: none only where the answer has no words.
    """
    usage = document.get("usage")
    if not isinstance(usage, dict):
        return None
    counted: list[Any] = [usage.get(f"{part}_tokens") for part in ("prompt", "completion")]
    # In Python, True is an integer.
    if any(type(count) is not int for count in counted):
        return None
    at_least = (FEWEST * asked, FEWEST * _count_words(document))
    bounds = zip(at_least, counted, at_most, strict=True)
    right = all(least <= count <= most for least, count, most in bounds)
    return Tokens(*counted) if right else None


def response_of(
    document: Mapping[str, Any],
    *,
    tokens: Tokens | None,
    places: Sequence[Place],
    hide: Callable[[str], str],
) -> str:
    """Return the response in a chat completion; raises `Fault` where there is none.

    `places` are those where it names labels. `hide` removes secrets from what the endpoint says.
    """
    answer, refusal, reason = _said(document)
    finish = reason if isinstance(reason, str) else "None"
    if isinstance(refusal, str) and refusal:
        answer, finish = refusal, "refusal"
    elif finish in REFUSALS or (finish == CUT and answer is None):
        answer = answer if isinstance(answer, str) else ""
    if not isinstance(answer, str):
        raise Fault(f"an answer without content (finish reason {hide(finish)})")
    labels = {"labels": places} if places else {}
    return _response(answer=hide(answer), finish=hide(finish), tokens=tokens, **labels)


def filtered_response(said: str) -> str:
    """Return the response to a prompt that the endpoint's filter stopped with an error."""
    return _response(answer=said, finish="content_filter", tokens=None)


def is_cut_before_words(response: str) -> bool:
    """Tell whether an answer used up its tokens and says nothing."""
    document = json.loads(response)
    return document["finish"] == CUT and not document["answer"].strip()


def _said(document: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Return the answer, the refusal and why it ended; raises `Fault` where there is no choice."""
    try:
        choice = document["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        return message.get("content"), message.get("refusal"), reason
    except (LookupError, TypeError, AttributeError):
        raise Fault("an answer without choices") from None


def _count_words(document: Mapping[str, Any]) -> int:
    try:
        answer, refusal, _ = _said(document)
    except Fault:
        return 0
    return sum(len(text.split()) for text in (answer, refusal) if isinstance(text, str))


def _response(*, answer: str, finish: str, tokens: Tokens | None, **more: Any) -> str:
    document = {"answer": answer, "finish": finish, "tokens": tokens or [None, None], **more}
    response = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        response.encode()
    except UnicodeEncodeError:
        raise Fault("an answer with halves of characters, which is not UTF-8") from None
    return response
