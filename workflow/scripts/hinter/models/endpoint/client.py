"""A language model behind an OpenAI-compatible endpoint."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal
from openai import APIStatusError

from ...job import warn
from ...provenance import digest_of
from ..answers import reporting, said_in
from ..model import Learnt, ParsedAnswer, ResponseParser, Status, Window, is_cut
from ..opening import Task
from ..prompting import ANY_TEXT
from ..windows import digest_of_text
from .asking import answers_in_any_order
from .budget import Spending
from .calling import Caller
from .completions import RESPONSE_VERSION, is_refused
from .dialect import Dialect, Messages
from .label_positions import LabelPositions, scores_at
from .line import Line
from .preflight import is_listed, listed_models
from .settings import EndpointSettings
from .token_counters import RoughCounter, TokenCounter, open_token_counter

SCORED_TOKENS = 1000
"""No log-probabilities are requested for longer answers: at about 3 kB per token, they could make a
paid answer larger than the limit."""
CHAT_TOKENS = 32
MESSAGE_TOKENS = 8
"""Tokens that chat templates add: at most about 32 in all, such as a default system message or the
date, and 8 per message, such as its role and its end."""


class Endpoint:
    """A model behind an endpoint that is asked with chat messages and answers in words.

    `messages` returns the chat about a text. The log-probabilities of `labels` are also requested;
    this is not part of the fingerprint, so answers that were stored without them remain valid.
    Refusals of the server are recorded in the folder `notes` (see `dialect`). The key is read from
    the environment for each run, and never appears in a message, log or response.
    """

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        messages: Callable[[str], Messages],
        parser: ResponseParser,
        counter: TokenCounter,
        labels: Sequence[str] = (),
        spending: Spending | None = None,
        notes: Path | None = None,
    ) -> None:
        self._settings = settings
        self._dialect = open_dialect(settings, notes=notes)
        scored = labels and settings.max_answer_tokens <= SCORED_TOKENS
        self._positions = LabelPositions(labels) if scored else None
        self._messages = messages
        self._parser = parser
        self._counter = counter
        self._spending = spending
        self._told_varying = False

    @property
    def max_answer_tokens(self) -> int:
        """The maximum number of tokens of an answer."""
        return self._settings.max_answer_tokens

    def input_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the maximum number of tokens of a request about each text."""
        return [self._count_tokens(self._messages(text)) for text in self._seen(texts)]

    def most_input_tokens(self, text_bytes: int) -> int:
        """Return the maximum number of tokens of a request about a text of so many bytes.

        No token is shorter than a byte.
        """
        return self._count_tokens(self._messages("")) + min(text_bytes, self._text_tokens())

    @property
    def fingerprint(self) -> str:
        """A digest of all that determines a response, except the text, so not of the key."""
        request, messages = self._settings.request(), self._messages(ANY_TEXT)
        return digest_of(
            address=self._settings.base_url.rstrip("/"),
            request=self._dialect.deciding(request),
            prompt=self._dialect.prompt(messages),
            response=RESPONSE_VERSION,
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the part of each text that the model sees; raises `InputError` if it is empty."""
        return [Window(len(text), digest_of_text(text)) for text in self._seen(texts)]

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text in lists, as soon as responses come.

        Raises `InputError` for a lasting fault, after all answers have been yielded.
        """
        while True:
            self._tell_varying()
            try:
                yield from self._answers(texts)
                return
            except Learnt:
                # Answers are stored under the fingerprint, which has changed now.
                if self._dialect.is_noted:
                    raise

    def _answers(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        client = self._settings.client()
        caller = Caller(
            Line(client, self._settings, spending=self._spending, fingerprint=self.fingerprint),
            self._settings,
            dialect=self._dialect,
            count_tokens=self._count_tokens,
            positions=self._positions,
        )
        with start_blocking_portal() as portal:
            try:
                answers = answers_in_any_order(
                    lambda text: caller.response(self._messages(text)),
                    self._seen(texts),
                    portal=portal,
                    concurrency=self._settings.concurrency,
                    grace_s=self._settings.timeout_seconds,
                )
                with closing(answers):
                    yield from reporting(answers, location=self._settings.location)
            finally:
                portal.call(client.close)

    def _tell_varying(self) -> None:
        """Warn once if the server does not let us set the temperature."""
        free = "temperature" not in self._dialect.deciding(self._settings.request())
        if free and not self._told_varying:
            self._told_varying = True
            warn(
                "%s: asked without a temperature, so its answers vary: with `repeats` above 1, the "
                "study measures how much",
                self._settings.location,
            )

    def facts(self) -> dict[str, str]:
        """Return how the server is asked, what it reads, and whether it lists the model.

        Raises `InputError` if it is down.
        """
        try:
            names = listed_models(self._settings)
        except APIStatusError as error:
            listed = f"no list of models (HTTP {error.status_code})"
        else:
            among = "" if is_listed(self._settings, names) else "not "
            listed = f"{len(names or ())} models, this one {among}among them"
        return {
            "server lists": listed,
            "dialect": self._dialect.words(),
            "log-probabilities": self._dialect.logprobs() if self._positions else "not asked for",
            "window": f"{self._dialect.window or self._settings.context_tokens:,} tokens"
            + (", where the server cuts prompts" if self._dialect.window else " by the entry"),
        }

    def read(self, response: str) -> ParsedAnswer:
        """Return the meaning of a response."""
        document = json.loads(response)
        answer: str = document["answer"]
        if is_refused(document["finish"]):
            return ParsedAnswer(Status.REFUSED, answer=answer)
        if document.get("unseen") or document["tokens"][0] in {self._dialect.window} - {None}:
            return ParsedAnswer(Status.UNPARSED, answer=said_in(answer))
        parsed = self._parser.read(answer, cut=is_cut(document["finish"]))
        return parsed._replace(scores=scores_at(document.get("labels", ()), parsed.outcome))

    def _seen(self, texts: Sequence[str]) -> list[str]:
        lengths = self._counter.lengths(texts, self._text_tokens())
        return [text[:length] for text, length in zip(texts, lengths, strict=True)]

    def _count_tokens(self, messages: Messages) -> int:
        parts = [self._counter.count(message["content"]) for message in messages]
        return sum(parts) + MESSAGE_TOKENS * len(parts) + CHAT_TOKENS

    def _text_tokens(self) -> int:
        prompt = self._count_tokens(self._messages(""))
        left = self._settings.context_tokens - prompt - self._settings.max_answer_tokens
        if left <= 0:
            raise self._settings.unfit(
                found=f"context_tokens {self._settings.context_tokens}",
                expected=f"more than {prompt} for the prompt without a text and "
                f"{self._settings.max_answer_tokens} for the answer",
                fix="Show fewer examples, or use a model with a larger context.",
            )
        limit = self._settings.max_tokens
        return left if limit is None else min(left, limit)


def open_endpoint(
    tokenizer: Path,
    *,
    sheet: Mapping[str, Any],
    task: Task,
    seed: int,
    spending: Spending | None = None,
    notes: Path | None = None,
) -> Endpoint:
    """Return the language model behind an endpoint, given the folder of its tokenizer.

    `notes` is the folder in which its responses are stored.
    """
    settings = EndpointSettings.of_sheet(
        sheet, max_answer_tokens=task.prompt.max_answer_tokens, seed=seed
    )
    counter = open_token_counter(tokenizer)
    if isinstance(counter, RoughCounter):
        warn(
            "%s: without a `tokenizer`, tokens are counted by a rough upper bound: long texts may "
            "be cut early, and calls cost less than planned",
            settings.location,
        )
    return Endpoint(
        settings,
        messages=lambda text: task.prompt.chat(text, task.examples),
        parser=task.parser(sheet.get("answer")),
        counter=counter,
        # In an answer with several labels, no position is a choice between all of them.
        labels=() if task.multi_label else task.prompt.labels,
        spending=spending,
        notes=notes,
    )


def facts_of(folder: Path, *, sheet: Mapping[str, Any], model: Endpoint) -> dict[str, str]:
    """Return how a server must be asked, and what it lists; `folder` is that of the tokenizer."""
    return model.facts()


def open_dialect(settings: EndpointSettings, *, notes: Path | None) -> Dialect:
    """Return how a server must be asked, as far as recorded in the folder `notes`."""
    asked = settings._replace(seed=None, max_answer_tokens=0).request()
    address, without = settings.base_url.rstrip("/"), settings.without
    name = f"dialect-{digest_of(address=address, request=asked, without=without)}.json"
    return Dialect(notes and notes / name, given=without)
