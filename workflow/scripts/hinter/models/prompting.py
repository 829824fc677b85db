"""From a text to the tokens of its prompt, within a model's context."""

from collections.abc import Sequence

from transformers import PreTrainedTokenizerBase

from ..corpora import Prompt, Text
from ..errors import InputError
from .model import Window
from .windows import digest_of_text, token_windows

SPARE_TOKENS = 8
"""Tokens kept free: a text may need a few more inside the prompt than it needs alone."""


class Prompting:
    """A prompt with its examples, in the tokens of one model.

    With `chat` the model's own chat template puts instruction, examples and question together.
    A text is cut after `max_tokens` tokens, and before the context is full. Raises `InputError`
    where the prompt alone fills the context, and for `chat` without a template.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        *,
        prompt: Prompt,
        examples: Sequence[Text],
        chat: bool,
        context_tokens: int,
        max_tokens: int | None,
    ) -> None:
        self._tokenizer, self._prompt, self._chat = tokenizer, prompt, chat
        self._examples = examples
        self._shown = prompt.shown(examples)
        if chat and not tokenizer.chat_template:
            raise _no_template()
        needed = len(self.token_ids("")) + prompt.max_answer_tokens + SPARE_TOKENS
        if needed >= context_tokens:
            raise _no_room(needed, context_tokens=context_tokens)
        room = context_tokens - needed
        self._text_tokens = room if max_tokens is None else min(room, max_tokens)

    @property
    def digest(self) -> str:
        """A digest of the prompt around the text, and of where the text is cut."""
        return digest_of_text(f"{self._text_tokens} {self.token_ids('')}")

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return what the model is shown of each text."""
        cut = token_windows(texts, tokenizer=self._tokenizer, max_tokens=self._text_tokens)
        return [
            Window(window.length, digest_of_text(text[: window.length]))
            for text, window in zip(texts, cut, strict=True)
        ]

    def rows(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text's prompt."""
        windows = self.windows(texts)
        return [
            self.token_ids(text[: window.length])
            for text, window in zip(texts, windows, strict=True)
        ]

    def token_ids(self, text: str) -> list[int]:
        """Return the tokens of the prompt around `text`, which is not cut."""
        if self._chat:
            turns = self._prompt.chat(text, self._examples)
            template = self._tokenizer.apply_chat_template
            ids: list[int] = template(turns, add_generation_prompt=True, return_dict=False)
        else:
            ids = self._tokenizer(self._shown + self._prompt.asked(text))["input_ids"]
        return ids


def _no_template() -> InputError:
    return InputError(
        where="models sheet, key 'chat'",
        found="a model whose tokenizer has no chat template",
        expected="a chat template",
        fix="Set `chat: false`, or put the template into the model's tokenizer_config.json.",
    )


def _no_room(needed: int, *, context_tokens: int) -> InputError:
    return InputError(
        where="models sheet, key 'context_tokens'",
        found=f"a context of {context_tokens} tokens",
        expected=f"more than {needed}, which prompt and answer need without any text",
        fix="Show fewer or shorter examples in the prompt, or take a model with a larger context.",
    )
