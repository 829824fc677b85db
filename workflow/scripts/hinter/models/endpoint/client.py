"""A language model behind an OpenAI-compatible endpoint."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ...job import warn
from ...provenance import digest_of
from ..model import CUT, Reader, Reading, Status, Window
from ..opening import Task
from ..prompting import ANY_TEXT
from ..windows import digest_of_text
from .asking import answers_in_any_order, background_loop
from .budget import Spending
from .calling import Caller, Messages
from .completions import REFUSALS, RESPONSE_VERSION, is_cut_before_words
from .label_places import LabelPlaces, scores_at
from .settings import EndpointSettings
from .token_counters import TokenCounter, open_token_counter

SCORED_TOKENS = 1000
"""Of longer answers no log-probabilities are asked for: at some 3 kB per token, they could make an
answer that is paid for larger than one may be."""
CHAT_TOKENS = 32
MESSAGE_TOKENS = 8
"""Tokens that chat templates add: at most about 32 in all, such as a default system message or the
date, and 8 for each message, such as its role and its end."""


class Endpoint:
    """A model behind an endpoint, asked with chat messages, which answers in words.

    `messages` returns the chat about a text. The log-probabilities of `labels` are asked for, too,
    which is no part of the fingerprint: answers that were kept without them stay answers. The key
    is read from the environment for each run, and never appears in a message, log or response.
    """

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        messages: Callable[[str], Messages],
        reader: Reader,
        counter: TokenCounter,
        labels: Sequence[str] = (),
        spending: Spending | None = None,
    ) -> None:
        self._settings = settings
        scored = labels and settings.max_answer_tokens <= SCORED_TOKENS
        self._places = LabelPlaces(labels) if scored else None
        self._messages = messages
        self._reader = reader
        self._counter = counter
        self._spending = spending

    @property
    def max_answer_tokens(self) -> int:
        """The most tokens that an answer may take."""
        return self._settings.max_answer_tokens

    def input_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the most tokens that asking about each text may take."""
        return [self._count_tokens(self._messages(text)) for text in self._seen(texts)]

    def most_input_tokens(self, text_bytes: int) -> int:
        """Return the most tokens that asking about a text of so many bytes may take.

        No token is shorter than a byte.
        """
        return self._count_tokens(self._messages("")) + min(text_bytes, self._text_tokens())

    @property
    def fingerprint(self) -> str:
        """A digest of all that decides a response, except the text; key and concurrency do not."""
        return digest_of(
            address=self._settings.base_url.rstrip("/"),
            request=self._request(),
            prompt=list(self._messages(ANY_TEXT)),
            response=RESPONSE_VERSION,
        )

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what the model sees of each text; raises `InputError` where it sees nothing."""
        lengths = self._counter.lengths(texts, self._text_tokens())
        return [
            Window(length, digest_of_text(text[:length]))
            for text, length in zip(texts, lengths, strict=True)
        ]

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text in lists, as soon as responses come.

        Raises `InputError` for a lasting fault, once all answers are yielded.
        """
        client = self._settings.client()
        caller = Caller(
            client,
            self._settings,
            request=self._request(),
            count_tokens=self._count_tokens,
            places=self._places,
            spending=self._spending,
            fingerprint=self.fingerprint,
        )
        with background_loop() as loop:
            try:
                answers = answers_in_any_order(
                    lambda text: caller.response(self._messages(text)),
                    self._seen(texts),
                    loop=loop,
                    concurrency=self._settings.concurrency,
                    grace_s=self._settings.timeout_seconds,
                )
                with closing(answers):
                    yield from self._counted(answers)
            finally:
                asyncio.run_coroutine_threadsafe(client.close(), loop).result()

    def read(self, response: str) -> Reading:
        """Return what a response means."""
        document = json.loads(response)
        answer: str = document["answer"]
        if document["finish"] in REFUSALS:
            return Reading(Status.REFUSED, answer=answer)
        reading = self._reader.read(answer, cut=document["finish"] == CUT)
        return reading._replace(scores=scores_at(document.get("labels", ()), reading.outcome))

    def _counted(self, parts: Iterator[list[tuple[int, str]]]) -> Iterator[list[tuple[int, str]]]:
        """Pass responses on, and warn of those without words: at the first, and at the end."""
        cut = 0
        for part in parts:
            first = not cut
            cut += sum(is_cut_before_words(response) for _, response in part)
            if cut and first:
                self._tell_cut(cut)
            yield part
        if cut > 1:
            self._tell_cut(cut)

    def _tell_cut(self, number: int) -> None:
        warn(
            "%s: %d answers used up all their tokens before the first word: raise "
            "`max_answer_tokens` in the prompt file",
            *(self._settings.place, number),
        )

    def _seen(self, texts: Sequence[str]) -> list[str]:
        lengths = self._counter.lengths(texts, self._text_tokens())
        return [text[:length] for text, length in zip(texts, lengths, strict=True)]

    def _request(self) -> dict[str, Any]:
        request = {
            "model": self._settings.model,
            "temperature": float(self._settings.temperature),
            "max_tokens": self._settings.max_answer_tokens,
        }
        if self._settings.seed is not None:
            request["seed"] = self._settings.seed
        return request

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
) -> Endpoint:
    """Return the language model behind an endpoint, given the folder of its tokenizer."""
    settings = EndpointSettings.of_sheet(
        sheet, max_answer_tokens=task.prompt.max_answer_tokens, seed=seed
    )
    return Endpoint(
        settings,
        messages=lambda text: task.prompt.chat(text, task.examples),
        reader=task.reader(),
        counter=open_token_counter(tokenizer),
        # In an answer with several labels, none stands for a choice among all of them.
        labels=() if task.multi_label else task.prompt.labels,
        spending=spending,
    )
