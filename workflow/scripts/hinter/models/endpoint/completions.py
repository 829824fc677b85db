"""What an endpoint sends back, as a response: {"answer": ..., "finish": ..., "tokens": [in, out]}.

`finish` says why the answer ended, `tokens` counts as the endpoint does (null where it does not).
"""

import json
from typing import Any

RESPONSE_VERSION = 1
"""Counts up when the meaning of a response changes."""

REFUSALS = {"content_filter", "refusal"}
"""Ends of an answer that is none: the endpoint's filter, and the model's own refusal."""


class Fault(Exception):
    """Something that may pass: the call is made again."""


def response_of(content: bytes) -> str:
    """Return the response in the body of a chat completion; raises `Fault` where there is none."""
    try:
        document = json.loads(content.decode())
    except UnicodeDecodeError:
        raise Fault("an answer that is not UTF-8") from None
    except ValueError:
        raise Fault("an answer that is not JSON") from None
    try:
        choice = document["choices"][0]
        message, finish = choice["message"], str(choice.get("finish_reason"))
        answer = message.get("content")
    except (LookupError, TypeError, AttributeError):
        raise Fault("an answer without choices") from None
    if message.get("refusal"):
        return _response(answer=str(message["refusal"]), finish="refusal", usage=document)
    if finish in REFUSALS:
        return _response(answer=str(answer or ""), finish=finish, usage=document)
    if not isinstance(answer, str):
        raise Fault(f"an answer without content (finish reason {finish})")
    return _response(answer=answer, finish=finish, usage=document)


def filtered_response(said: str) -> str:
    """Return the response to a prompt that the endpoint's filter stopped with an error."""
    return _response(answer=said, finish="content_filter", usage={})


def tokens_of(response: str) -> tuple[int, int] | None:
    """Return the tokens of prompt and answer, None where the endpoint did not count them."""
    tokens = json.loads(response)["tokens"]
    return (tokens[0], tokens[1]) if all(isinstance(count, int) for count in tokens) else None


def _response(*, answer: str, finish: str, usage: dict[str, Any]) -> str:
    counts = usage.get("usage") or {}
    tokens = [counts.get("prompt_tokens"), counts.get("completion_tokens")]
    document = {"answer": answer, "finish": finish, "tokens": tokens}
    response = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        response.encode()
    except UnicodeEncodeError:
        raise Fault("an answer with halves of characters, which is not UTF-8") from None
    return response
