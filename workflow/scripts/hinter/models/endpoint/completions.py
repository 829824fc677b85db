"""What an endpoint sends back, as a response: {"answer": ..., "finish": ..., "tokens": [in, out]}.

`finish` says why the answer ended. `tokens` is the endpoint's own count, null where it has none or
one that cannot be true.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

RESPONSE_VERSION = 1
"""Counts up when the meaning of a response changes."""

REFUSALS = {"content_filter", "refusal"}
"""Ends without an answer: the endpoint's filter, and the model's own refusal."""
CUT = "length"
"""The end of an answer that used up its tokens, for reasoning or for words."""

SLACK = 64
"""Tokens that an endpoint may count beside an answer's own, such as end marks."""


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


def tokens_of(document: Mapping[str, Any], *, at_most: Tokens) -> Tokens | None:
    """Return the tokens that the endpoint counted, None where there is no plausible count.

    Every prompt has a token, and neither prompt nor answer has more than `at_most`.
    """
    usage = document.get("usage")
    if not isinstance(usage, dict):
        return None
    asked, said = usage.get("prompt_tokens"), usage.get("completion_tokens")
    # In Python, True is an integer.
    if type(asked) is not int or type(said) is not int:
        return None
    right = 1 <= asked <= at_most.asked and 0 <= said <= at_most.said
    return Tokens(asked, said) if right else None


def response_of(
    document: Mapping[str, Any], *, tokens: Tokens | None, hide: Callable[[str], str]
) -> str:
    """Return the response in a chat completion; raises `Fault` where there is none.

    `hide` removes secrets from what the endpoint says.
    """
    try:
        choice = document["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        answer, refusal = message.get("content"), message.get("refusal")
    except (LookupError, TypeError, AttributeError):
        raise Fault("an answer without choices") from None
    finish = reason if isinstance(reason, str) else "None"
    if isinstance(refusal, str) and refusal:
        answer, finish = refusal, "refusal"
    elif finish in REFUSALS or (finish == CUT and answer is None):
        answer = answer if isinstance(answer, str) else ""
    if not isinstance(answer, str):
        raise Fault(f"an answer without content (finish reason {hide(finish)})")
    return _response(answer=hide(answer), finish=hide(finish), tokens=tokens)


def filtered_response(said: str) -> str:
    """Return the response to a prompt that the endpoint's filter stopped with an error."""
    return _response(answer=said, finish="content_filter", tokens=None)


def is_cut_before_words(response: str) -> bool:
    """Tell whether an answer used up its tokens and says nothing."""
    document = json.loads(response)
    return document["finish"] == CUT and not document["answer"].strip()


def _response(*, answer: str, finish: str, tokens: Tokens | None) -> str:
    document = {"answer": answer, "finish": finish, "tokens": tokens or [None, None]}
    response = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        response.encode()
    except UnicodeEncodeError:
        raise Fault("an answer with halves of characters, which is not UTF-8") from None
    return response
