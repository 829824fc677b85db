"""Parse completions into responses: {"answer": ..., "finish": ..., "tokens": [in, out]}.

`finish` says why the answer ended. `tokens` is the endpoint's own count, null if it has none or one
that cannot be true. `thoughts` are those returned separately from the answer. If there are
log-probabilities, `labels` has those of labels at the positions where the answer names one
(`label_places`). `unseen` says that the endpoint was found to cut the prompt.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..answers import thought_end
from ..model import CUT, is_cut
from .bodies import Fault
from .http_errors import BLOCKED, Refusal
from .label_positions import LabelPosition

RESPONSE_VERSION = 1
"""A version, which is increased when the meaning of a response changes."""

SLACK = 64
"""Tokens that an endpoint may count in addition to those of an answer, such as end marks."""
MOST_THOUGHT = 2**20
"""Tokens of thoughts that an endpoint may count in addition to the limit of an answer."""
THOUGHT = re.compile("think|thought|reason", re.IGNORECASE)
"""The common part of the names of fields with thoughts."""
FEWEST = 1 / 4
"""The least share of our count of a prompt's tokens that an endpoint may count: another tokenizer
may make fewer."""
HALF = re.compile("[\ud800-\udfff]")
BROKEN = re.compile("error|abort|cancel|fail|insufficient|interrupt", re.IGNORECASE)
"""Reasons for the end of an answer that mean that it broke off."""


class Tokens(NamedTuple):
    """Tokens of a prompt and an answer."""

    asked: int
    said: int


def tokens_of(document: Mapping[str, Any], *, asked: int, at_most: Tokens) -> Tokens | None:
    """Return the tokens that the endpoint counted, or None if there is no plausible count.

    `asked` is our upper count for the prompt. Neither prompt nor answer may have more than
    `at_most`, nor fewer than `FEWEST` allows: an answer has no tokens only if it has no words.
    """
    usage = _usage(document)
    counted: list[Any] = [usage.get(f"{part}_tokens") for part in ("prompt", "completion")]
    # In Python, True is an integer.
    if any(type(count) is not int for count in counted):
        return None
    # Some servers count thoughts only in the total.
    total, thought = usage.get("total_tokens"), _thought_tokens(usage)
    counted[1] = max(counted[1], total - counted[0] if type(total) is int and thought else 0)
    at_least = (FEWEST * asked, FEWEST * _count_words(document))
    # Some servers limit an answer, and not the thoughts before it.
    bounds = zip(at_least, counted, (at_most.asked, at_most.said + thought), strict=True)
    right = all(least <= count <= most for least, count, most in bounds)
    return Tokens(*counted) if right else None


def asked_tokens(document: Mapping[str, Any]) -> int:
    """Return the tokens of the prompt that the endpoint counted, or 0 if it does not say."""
    count = _usage(document).get("prompt_tokens")
    return count if type(count) is int else 0


def _usage(document: Mapping[str, Any]) -> Mapping[str, Any]:
    usage = document.get("usage")
    return usage if isinstance(usage, dict) else {}


def _thought_tokens(usage: Mapping[str, Any]) -> int:
    details = usage.get("completion_tokens_details")
    thought = details.get("reasoning_tokens") if isinstance(details, dict) else None
    return thought if type(thought) is int and 0 < thought <= MOST_THOUGHT else 0


def response_of(
    document: Mapping[str, Any],
    *,
    tokens: Tokens | None,
    positions: Sequence[LabelPosition],
    begin_inside: bool,
    is_unseen: bool,
    hide: Callable[[str], str],
) -> str:
    """Return the response in a chat completion; raises `Fault` if there is none.

    `positions` are the positions at which it names labels. Thoughts that the endpoint returns
    separately are stored separately, and so is a cut answer if answers `begin_inside` thoughts.
    `is_unseen` says that the endpoint has cut the prompt. `hide` removes
    secrets from messages of the endpoint.
    """
    said = _said(document)
    answer, thoughts, finish = said.answer, said.thoughts, said.finish
    if said.refusal:
        answer, finish = said.refusal, "refusal"
    elif answer is None and (thoughts or is_refused(finish) or is_cut(finish)):
        answer = ""
    if BROKEN.search(finish) and not (is_refused(finish) or is_cut(finish)):
        raise Fault(f"an answer that broke off (finish reason {hide(finish)})")
    if answer is None and finish == "None" and not asked_tokens(document):
        raise Fault(f"an answer without content (finish reason {hide(finish)})")
    answer = answer or ""
    if begin_inside and is_cut(finish) and not thought_end(answer):
        answer, thoughts = "", answer
    more = {"labels": positions, "thoughts": hide(thoughts), "unseen": is_unseen}
    return _response(
        answer=hide(answer),
        finish=hide(finish),
        tokens=tokens,
        **{key: value for key, value in more.items() if value},
    )


def refused_response(refusal: Refusal) -> str:
    """Return the response to a prompt that was refused, or whose answer was cut, with an error."""
    if refusal.is_cut:
        return _response(answer="", finish=CUT, tokens=None)
    return _response(answer=refusal.words, finish="content_filter", tokens=None)


def is_refused(finish: str) -> bool:
    """Return whether an answer ended because the endpoint's filter, or the model, refused it."""
    return BLOCKED.search(finish) is not None


def answer_of(document: Mapping[str, Any]) -> str:
    """Return the words of a chat completion, including thoughts."""
    return _said(document).answer or ""


class _Said(NamedTuple):
    answer: str | None
    thoughts: str
    refusal: str
    finish: str


def _said(document: Mapping[str, Any]) -> _Said:
    """Return the content of a chat completion; raises `Fault` if there is no choice or price."""
    try:
        # Some filters leave nothing of an answer but its price.
        priced: list[dict[str, Any]] = [{}] if asked_tokens(document) else []
        choice = (document.get("choices") or priced)[0]
        message = choice.get("message") or {"content": choice.get("text")}
        content, refusal = message.get("content"), message.get("refusal")
        apart = [message[key] for key in sorted(message) if THOUGHT.search(key)]
        finish, native = choice.get("finish_reason"), choice.get("native_finish_reason")
    except (LookupError, TypeError, AttributeError):
        raise Fault("an answer without choices") from None
    # Of a router, which may call a refusal of the model's provider an end.
    finish = native if isinstance(native, str) and is_refused(native) else finish
    parts = content if isinstance(content, list) else [content]
    named = [part for part in parts if isinstance(part, dict)]
    inside = [part for part in named if THOUGHT.search(" ".join([str(part.get("type")), *part]))]
    words = [_text(part) for part in parts if part not in inside]
    refusal = refusal or next((part["refusal"] for part in named if part.get("refusal")), None)
    return _Said(
        answer="".join(words) if any(words) or content == "" else None,
        # Some servers return the same thoughts in two fields.
        thoughts=next(filter(None, map(_text, [*apart, inside])), ""),
        refusal=refusal if isinstance(refusal, str) else "",
        finish=finish if isinstance(finish, str) else "None",
    )


def _text(part: Any) -> str:
    """Return the text in a part of a message, which may be a list of parts or have its own name.

    What else a part has, such as what it cites, is not said.
    """
    if isinstance(part, list):
        return "".join(map(_text, part))
    if isinstance(part, dict):
        said = {"text", "content", "summary", "parts", "value", part.get("type")}
        return "".join(_text(part[key]) for key in sorted(part) if key in said)
    return part if isinstance(part, str) else ""


def _count_words(document: Mapping[str, Any]) -> int:
    try:
        said = _said(document)
    except Fault:
        return 0
    return sum(len((text or "").split()) for text in (said.answer, said.thoughts, said.refusal))


def _response(*, answer: str, finish: str, tokens: Tokens | None, **more: Any) -> str:
    document = {"answer": answer, "finish": finish, "tokens": tokens or [None, None], **more}
    response = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    # A limit of tokens may cut a character in two, of which UTF-8 has no halves.
    return HALF.sub("\ufffd", response)
