"""Prompts by which a model judges what answers in words mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from .prompts import LABELS, PLACEHOLDER, Prompt, check_placeholders

FIELDS = {"{prompt}": "what was asked", "{answer}": "the answer that is judged"}


@dataclass(frozen=True)
class JudgePrompt:
    """What a judge is asked about answers, and how it says what they mean.

    It names a label of `prompt`, or says `prompt.none`; the last label is `refused`, which says
    that an answer declines.
    """

    prompt: Prompt
    question: str
    refused: str

    def text(self, *, prompt: str, answer: str) -> str:
        """Return the text that asks what an answer to a prompt means."""
        filled = {"{prompt}": prompt, "{answer}": answer}
        return PLACEHOLDER.sub(lambda found: filled[found[0]], self.question)


def check_judge_prompt(
    sheet: Mapping[str, Any], *, path: str | Path, labels: Sequence[str]
) -> JudgePrompt:
    """Return the prompt that the sheet in the file `path` describes, for a probe's `labels`.

    Raises `InputError` for unknown and missing placeholders, and where its words for no label and
    for a refusal are labels, or the same.
    """
    check_placeholders(sheet["instruction"], known=LABELS, where=f"{path}, key 'instruction'")
    check_placeholders(sheet["question"], known=FIELDS, where=f"{path}, key 'question'")
    taken = {label.casefold() for label in labels}
    for key in ("none", "refused"):
        word = sheet[key]
        if word.casefold() in taken:
            raise InputError(
                where=f"{path}, key '{key}'",
                found=f"'{word}'",
                expected="words that are neither a label of a probe nor those of another key",
                fix="Choose other words, here and in the instruction.",
            )
        taken.add(word.casefold())
    prompt = Prompt(
        version=sheet["version"],
        instruction=sheet["instruction"].replace("{labels}", ", ".join(labels)),
        question="{text}",
        none=sheet["none"],
        max_answer_tokens=sheet["max_answer_tokens"],
        examples={},
        labels=(*labels, sheet["refused"]),
    )
    return JudgePrompt(prompt, sheet["question"], sheet["refused"])
