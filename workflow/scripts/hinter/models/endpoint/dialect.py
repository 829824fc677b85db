"""Learn how a server must be asked: a part that it refuses by name is renamed or left out.

A server that refuses a request names what it refuses: a parameter, the system message, or chats.
This is learnt once, and recorded next to the store for all later jobs once the server has answered
without it. The code does not know the wording of any server, only the names of what was sent.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...corpora import without_system
from .http_errors import PASSING, Refusal

Messages = Sequence[Mapping[str, str]]

LOGPROBS: list[dict[str, Any]] = [
    *({"logprobs": True, "top_logprobs": number} for number in (20, 5)),
    {},
]
"""The log-probabilities to ask for, in turn: OpenAI's maximum, that of others, none."""

NAMES = {
    "max_tokens": r"max[\s_-]?(?:new[\s_-]?)?tokens",
    "temperature": r"temperature",
    "seed": r"seed",
    "stop": r"stop(?:[\s_-]?sequences?)?",
    "logprobs": r"(?:top[\s_-]?)?log[\s_-]?prob\w*",
    "system": r"(?:system|developer|roles?|instructions?)",
    "chat": r"chat",
}
"""The names of sent parts in refusals, whose wording varies."""
NAMED = {
    part: re.compile(rf"(?<![a-z_]){name}(?![a-z_])", re.IGNORECASE) for part, name in NAMES.items()
}
WORDS = {"stop", "system", "chat"}
"""Names that are also everyday words: they only count if a message says that they are refused."""
REFUSED = re.compile(
    r"support|allow|permit|recogni[sz]|accept|enabled|available|invalid|unknown|unexpected|extra"
    r"|must|should|expect|deprecated|template|not a |不",
    re.IGNORECASE,
)
BEGUN = "the beginning of a thought"
"""A lesson: it is in prompts and not in answers, so a cut answer may consist only of a thought."""
FAILING = "failures at log-probabilities"
"""A lesson: the server fails at those of some prompts, which it answers without them."""
LEARNT = {
    "max_tokens": "max_completion_tokens instead of max_tokens",
    "temperature": "no temperature",
    "seed": "no seed",
    "stop": "no stop",
    "system": "the instruction in the first question",
    "chat": "plain texts to continue",
    BEGUN: "answers that begin inside a thought",
    FAILING: "no log-probabilities for a prompt at which it fails",
}
"""Descriptions of how a server is asked, or of its answers, by what was learnt."""
NOT_OF_PARAMETERS = {401, 402, 403, *PASSING}
TIMES = {"logprobs": len(LOGPROBS) - 1}
"""How often a part can be renamed or left out, if not once."""
CHANGING = {"temperature", "seed", "stop", "system", "chat"}
"""The parts on which answers depend."""


class Dialect:
    """The parts that a server has refused, in the order in which this was learnt.

    `lessons` are names in `NAMES`. `window` is the number of tokens of a prompt that the server
    reads, if it was found to cut longer ones. With `path`, which there is if answers are stored, it
    `is_noted`: both are read from there, and written by `note`. Lessons that are `given` come from
    the model's entry and are not recorded.
    """

    def __init__(self, path: Path | None = None, *, given: Collection[str] = ()) -> None:
        self._path, self._given = path, given
        self.is_noted = path is not None
        self.lessons: list[str] = []
        self.window: int | None = None
        if path and path.is_file():
            noted = json.loads(path.read_text(encoding="utf-8"))
            self.lessons, self.window = noted["lessons"], noted["window"]
        self._noted = self._state()

    def note(self) -> None:
        """Record new lessons."""
        if self._path and self._state() != self._noted:
            self._noted = self._state()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(self._noted) + "\n", encoding="utf-8")
            part.replace(self._path)

    def words(self) -> str:
        """Return in words how the server is asked in an unusual way."""
        said = [LEARNT[part] for part in LEARNT if self._without(part)]
        return "; ".join(said) or "nothing is refused"

    def logprobs(self) -> str:
        """Return in words how many log-probabilities are asked for."""
        asked = LOGPROBS[self.lessons.count("logprobs")] if not self._without("chat") else {}
        return f"{asked['top_logprobs']} for each token" if asked else "none: it refuses them"

    def learn_failing(self, *, at_some: bool) -> None:
        """Learn that the server fails at log-probabilities: at those of some prompts, or of all."""
        left = TIMES["logprobs"] - self.lessons.count("logprobs")
        lessons = [FAILING] if at_some else ["logprobs"] * left
        self.lessons += [] if FAILING in self.lessons else lessons

    def _state(self) -> dict[str, Any]:
        return {"lessons": list(self.lessons), "window": self.window}

    def _without(self, part: str) -> bool:
        return part in self.lessons or part in self._given

    def deciding(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a request that determine an answer."""
        return {
            key: request[key] for key in request if key not in CHANGING.intersection(self.lessons)
        }

    def prompt(self, messages: Messages) -> Messages | str:
        """Return the messages as the server gets them: turns, or one text to continue."""
        turns = without_system(messages) if self._without("system") else list(messages)
        return as_plain(turns) if self._without("chat") else turns

    def body(
        self, request: Mapping[str, Any], messages: Messages, *, scored: bool
    ) -> dict[str, Any]:
        """Return the body of a request, with log-probabilities if the answer is to be `scored`."""
        more = self.deciding(request)
        if "max_tokens" in self.lessons:
            more["max_completion_tokens"] = more.pop("max_tokens")
        prompt = self.prompt([turn for turn in messages if turn["content"] or not _is_system(turn)])
        if isinstance(prompt, str):
            asked: dict[str, Any] = {"prompt": prompt}
        else:
            asked = {"messages": prompt}
            more |= LOGPROBS[self.lessons.count("logprobs")] if scored else {}
        return {**asked, "model": more.pop("model"), **dict(sorted(more.items()))}

    def named(
        self, refusal: Refusal, *, body: Mapping[str, Any], but: Collection[str]
    ) -> str | None:
        """Return the part of the sent `body` that a refusal names, if it can be left out."""
        return _named(refusal, self.left(body).keys() - set(but))

    def left(self, body: Mapping[str, Any]) -> Counter[str]:
        """Return how often each part of the sent `body` can still be renamed or left out."""
        sent = {part for part in NAMES if part in body}
        if "messages" in body:
            sent |= {"chat"} | {"system" for turn in body["messages"] if _is_system(turn)}
        return +Counter({part: TIMES.get(part, 1) - self.lessons.count(part) for part in sent})

    def after(self, lessons: Iterable[str]) -> "Dialect":
        """Return a dialect with further lessons, which is not recorded."""
        other = Dialect(given=self._given)
        other.lessons = [*self.lessons, *lessons]
        return other


def as_plain(messages: Messages) -> str:
    """Return the turns of a chat as one text, which ends before the answer."""
    ends = {"user": " ", "assistant": "\n\n", "system": "\n\n"}
    return "".join(turn["content"] + ends[turn["role"]] for turn in messages).rstrip(" ")


def _is_system(turn: Mapping[str, str]) -> bool:
    return turn["role"] == "system"


def _named(refusal: Refusal, known: Collection[str]) -> str | None:
    """Return which of the `known` names a refusal has first: as its subject, or in its words."""
    if refusal.status in NOT_OF_PARAMETERS or refusal.is_busy:
        return None
    if refusal.status in {404, 405}:
        known = {"chat", "logprobs"}.intersection(known)
    # Some refusals repeat the whole request, and thus all names that were sent.
    whole = "" if '"messages"' in refusal.whole else refusal.whole
    for location, text in enumerate((refusal.subject, refusal.words, whole)):
        said = location == 0 or REFUSED.search(text)
        sure = 400 <= refusal.status < 500 or said
        found = {
            part: match.start()
            for part in known
            if sure and (said or part not in WORDS) and (match := NAMED[part].search(text))
        }
        if found:
            return min(found, key=found.__getitem__)
    return None
