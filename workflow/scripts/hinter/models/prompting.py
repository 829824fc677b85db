"""Make the tokens of a prompt from a text, within a model's context."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateError

from ..corpora import without_system
from ..errors import InputError
from .answers import opens_thought
from .model import Window
from .opening import Task
from .windows import digest_of_text, token_windows

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ANY_TEXT = "(text)"
"""A placeholder for a text, used when only the prompt around it matters."""

MARK = "\ue000"
"""A placeholder for a text at which the prompt is split."""

DAY = "01 Jan 2024"
FIXED_DAY = f"{{% macro strftime_now(form) %}}{DAY}{{% endmacro %}}"
"""A fixed date for templates that show one, as today's date must not influence answers."""

SPARE_TOKENS = 8
"""Reserved tokens: a text may need a few more inside the prompt than by itself."""


class Prompting:
    """The prompt of a task with its examples, in the tokens of one model, as its `sheet` says.

    With `chat`, instruction, examples and question are put into the model's own chat template. If
    there is an `answer_prefix`, all answers begin with it: those of the examples, and that of the
    model, which continues it. A text is cut after `max_tokens` tokens, and before the context is
    full. An instruction that the template refuses or leaves out as a system message is put into the
    first question. Control tokens in a text are treated as ordinary words. Raises `InputError` if
    the prompt by itself fills the context, and for `chat` without a template.
    """

    def __init__(
        self,
        tokenizer: "PreTrainedTokenizerBase",
        *,
        task: Task,
        sheet: Mapping[str, Any],
        context_tokens: int,
    ) -> None:
        self.tokenizer, self.prompt, self._examples = tokenizer, task.prompt, task.examples
        self._chat, self._begun = sheet["chat"], sheet["answer_prefix"] or ""
        self._system_turn = True
        self._shown = self.prompt.shown(self._examples)
        added = tokenizer.added_tokens_decoder.values()
        self._control = [token.content for token in added if token.special]
        self._is_plain = not self._has_control(self._shown + self.prompt.asked(""))
        if self._chat and not tokenizer.chat_template:
            raise InputError(
                where="models sheet, key 'chat'",
                found="a model whose tokenizer has no chat template",
                expected="a chat template",
                fix="Set `chat: false`, or put the template into the model's "
                "tokenizer_config.json.",
            )
        needed = self._tokens_without_text() + self.prompt.max_answer_tokens + SPARE_TOKENS
        if needed >= context_tokens:
            raise InputError(
                where="models sheet, key 'context_tokens'",
                found=f"a context of {context_tokens} tokens",
                expected=f"more than {needed}, which prompt and answer need without any text",
                fix="Show fewer or shorter examples in the prompt, or use a model with a larger "
                "context.",
            )
        self._text_tokens = min(context_tokens - needed, sheet["max_tokens"] or context_tokens)

    @property
    def digest(self) -> str:
        """A digest of the prompt around a text, and of the limit of the text."""
        return digest_of_text(f"{self._text_tokens} {self.token_ids(ANY_TEXT)}")

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return the part of each text that the model is shown."""
        cut = token_windows(texts, tokenizer=self.tokenizer, max_tokens=self._text_tokens)
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
            return self._rendered(text, answer=self._begun)
        if not self._is_plain and self._has_control(text):
            return self._with_plain(text)
        shown = self._shown + self.prompt.asked(text)
        return self.tokenizer(shown, split_special_tokens=self._is_plain)["input_ids"]

    def _has_control(self, text: str) -> bool:
        return any(token in text for token in self._control)

    def _with_plain(self, text: str) -> list[int]:
        """Return the tokens of a prompt with control tokens around a text that also has some."""
        first, *rest = (self._shown + self.prompt.asked(MARK)).split(MARK)
        ids: list[int] = self.tokenizer(first)["input_ids"]
        inside = partial(self.tokenizer, add_special_tokens=False)
        for part in rest:
            ids += inside(text, split_special_tokens=True)["input_ids"]
            ids += inside(part)["input_ids"]
        return ids

    def opens_thought(self) -> bool:
        """Return whether prompts end with the beginning of a thought, which answers then lack."""
        chat = self._chat and self._rendered(ANY_TEXT, answer=self._begun, tokenize=False)
        return opens_thought(chat or self.prompt.asked(ANY_TEXT))

    def first_token(self, label: str) -> int:
        """Return the first token of an answer that is this label."""
        before = self.token_ids(ANY_TEXT)
        if self._begun:
            after = self._rendered(ANY_TEXT, answer=f"{self._begun} {label}")
        elif self._chat:
            return int(self.tokenizer(label, add_special_tokens=False)["input_ids"][0])
        else:
            asked = self._shown + self.prompt.asked(ANY_TEXT)
            after = self.tokenizer(f"{asked} {label}")["input_ids"]
        found = (new for old, new in zip_longest(before, after) if old != new)
        first = next(found, None)
        if first is None:
            raise InputError(
                where="datasets sheet, key 'label_names'",
                found=f"the label '{label}', for which the model's tokenizer makes no separate "
                "token",
                expected="a label that adds a token to the prompt",
                fix="Choose another name, or let the model answer in words (`answers: generated`).",
            )
        return int(first)

    def _rendered(self, text: str, *, answer: str, tokenize: bool = True) -> Any:
        """Return the tokens of the chat about `text` and a begun answer, or else their text."""
        turns = self._turns(text)
        if answer:
            shown = (turn for turn in turns if turn["role"] == "assistant")
            for turn in shown:
                turn["content"] = f"{self._begun} {turn['content']}"
            turns.append({"role": "assistant", "content": answer})
        return self.tokenizer.apply_chat_template(
            turns,
            tokenize=tokenize,
            add_generation_prompt=not answer,
            continue_final_message=bool(answer),
            return_dict=False,
            sanitize_control_tokens=tokenize,
            chat_template=FIXED_DAY + self.tokenizer.get_chat_template(),
            date_string=DAY,
        )

    def _turns(self, text: str) -> list[dict[str, str]]:
        turns = self.prompt.chat(text, self._examples)
        return turns if self._system_turn else [dict(turn) for turn in without_system(turns)]

    def _tokens_without_text(self) -> int:
        try:
            if self._chat and (left_out := self._left_out()):
                raise TemplateError(f"it leaves out the {left_out} role")
            return len(self.token_ids(""))
        except (TemplateError, ValueError) as error:
            if self._chat and self._system_turn:
                self._system_turn = False
                logging.info("the instruction is in the first question: chat template: %s", error)
                return self._tokens_without_text()
            said = " ".join(str(error).split())[:300]
            begun = ", and the beginning of an answer (`answer_prefix`)" if self._begun else ""
            raise InputError(
                where="models sheet, key 'chat'",
                found=f"a chat template that refuses the prompt ({said})",
                expected=f"one that takes turns{begun}",
                fix="Set `chat: false`.",
            ) from None

    def _left_out(self) -> str | None:
        """Return the role of a turn that the template does not show, if there is one."""
        shown = self._rendered(ANY_TEXT, answer=self._begun, tokenize=False)
        said = ((turn["role"], turn["content"].strip()) for turn in self._turns(ANY_TEXT))
        return next((role for role, content in said if content not in shown), None)
