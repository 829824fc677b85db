"""A server of right answers for tests of endpoints, which refuses what a test wants."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from faults import Call
from hinter.corpora import Prompt
from hinter.models.endpoint.client import Endpoint

KEY, KEY_VARIABLE = "sk-neverShowThisToAnyone", "ENDPOINT_KEY"
TEXTS = ["A fine film.", "A dull film, by a man from Lagos.", "A fine book."]
OUTCOMES = ["positive", "negative", "positive"]

Body = Mapping[str, Any]
Said = tuple[int, Any]
"""A status, and what stands in the body."""


def prompt_of(**changed: Any) -> Prompt:
    sheet: dict[str, Any] = {
        "version": 1,
        "instruction": "Is it negative or positive?",
        "question": "Review: {text}",
        "none": "None",
        "max_answer_tokens": 16,
        "examples": {},
        "labels": ("negative", "positive"),
    }
    return Prompt(**{**sheet, **changed})


def asked_text(sent: Body) -> str:
    """Return the last text that a server is asked about."""
    return str(sent["prompt"] if "prompt" in sent else sent["messages"][-1]["content"])


def right_label(sent: Body) -> str:
    return "positive" if "fine" in asked_text(sent) else "negative"


def right_answer(sent: Body, **message: Any) -> Said:
    """Return the right answer, as a chat or as a text that goes on."""
    if "prompt" in sent:
        return 200, {"choices": [{"text": f" {right_label(sent)}", "finish_reason": "stop"}]}
    said = {"content": right_label(sent), **message}
    return 200, {"choices": [{"message": said, "finish_reason": "stop"}]}


def error_of(status: int, message: str, /, **more: Any) -> Said:
    return status, {"error": {"message": message, **more}}


def as_bytes(said: Said) -> bytes:
    return json.dumps(said[1]).encode()


class Server(NamedTuple):
    """What a server says to a body: the first of its `refusals` that is any, else its `answer`."""

    refusals: Sequence[Callable[[Body], Said | None]]
    answer: Callable[[Body], Said] = right_answer

    def __call__(self, call: Call) -> None:
        sent = json.loads(call.body)
        assert ("/chat/" in call.handler.path) == ("messages" in sent)
        said = next(filter(None, (refusal(sent) for refusal in self.refusals)), None)
        status, document = said or self.answer(sent)
        content = document if isinstance(document, bytes) else json.dumps(document).encode()
        call.send(status, content)


def if_met(met: Callable[[Body], object], said: Said) -> Callable[[Body], Said | None]:
    return lambda sent: said if met(sent) else None


def has(key: str) -> Callable[[Body], bool]:
    return lambda sent: key in sent


def of_lagos(sent: Body) -> bool:
    return "Lagos" in asked_text(sent)


def outcomes_of(endpoint: Endpoint, texts: Sequence[str] = TEXTS) -> list[str]:
    """Return the label of each text, or the status of an answer without one."""
    found = dict(pair for part in endpoint.responses(texts) for pair in part)
    parsed_answers = [endpoint.read(found[position]) for position in range(len(texts))]
    return [parsed.outcome[0] if parsed.outcome else parsed.status for parsed in parsed_answers]
