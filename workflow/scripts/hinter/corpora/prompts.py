"""Few-shot prompts, as plain text to continue or as turns of a chat, and prompts for a judge."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .texts import Text

# Tables need no types of sheets, whose import takes long.
if TYPE_CHECKING:
    from ..config import JudgeSheet

FIELD = re.compile(r"\{prompt\}|\{answer\}")


@dataclass(frozen=True)
class Prompt:
    """The prompt template of a dataset with the ordered label names `labels`.

    `examples` maps the name of each example (an original_id, or SPLIT:ROW) to its labels, in the
    order in which examples are shown. An answer consists of label names, or of `none` if no label
    applies, and has at most `max_answer_tokens` tokens.
    """

    version: int
    instruction: str
    question: str
    none: str
    max_answer_tokens: int
    examples: dict[str, tuple[str, ...]]
    labels: tuple[str, ...]

    def rotated(self, count: int) -> "Prompt":
        """Return the prompt with so many of its first examples moved to the end."""
        examples = [*self.examples.items()]
        return replace(self, examples=dict(examples[count:] + examples[:count]))

    def answer(self, labels: Sequence[str]) -> str:
        """Return the expected answer if `labels` apply."""
        return ", ".join(sorted(set(labels), key=self.labels.index)) or self.none

    def shown(self, examples: Sequence[Text]) -> str:
        """Return the plain text before the question: the instruction, then the examples."""
        return self._filled_instruction() + "".join(
            f"{self.asked(example.text)} {self.answer(example.labels)}\n\n" for example in examples
        )

    def asked(self, text: str) -> str:
        """Return the question about `text`, up to the answer."""
        return self.question.replace("{text}", text)

    def chat(self, text: str, examples: Sequence[Text]) -> list[dict[str, str]]:
        """Return the turns (`role`, `content`) that ask about `text` after the examples."""
        turns = [{"role": "system", "content": self._filled_instruction().strip()}]
        for example in examples:
            turns.append({"role": "user", "content": self.asked(example.text).rstrip()})
            turns.append({"role": "assistant", "content": self.answer(example.labels)})
        return [*turns, {"role": "user", "content": self.asked(text).rstrip()}]

    def _filled_instruction(self) -> str:
        return self.instruction.replace("{labels}", ", ".join(self.labels))


def without_system(turns: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the turns of a chat with the system message at the beginning of the first question."""
    said = [turn["content"] for turn in turns if turn["role"] == "system" and turn["content"]]
    first, *rest = (turn for turn in turns if turn["role"] != "system")
    return [{**first, "content": "\n\n".join([*said, first["content"]])}, *rest]


def check_prompt(sheet: Mapping[str, Any], *, path: str | Path, labels: Sequence[str]) -> Prompt:
    """Return the prompt that the sheet in the file `path` describes, for the label names `labels`.

    Raises `InputError` for examples with other labels, and for words for no label that are one.
    """
    _check_labels(sheet, labels=labels, path=path)
    examples = {key: tuple(answer) for key, answer in sheet["examples"].items()}
    return Prompt(**{**sheet, "examples": examples, "labels": tuple(labels)})


def _check_labels(sheet: Mapping[str, Any], *, labels: Sequence[str], path: str | Path) -> None:
    # Answers are parsed regardless of case.
    if sheet["none"].casefold() in {label.casefold() for label in labels}:
        raise InputError(
            where=f"{path}, key 'none'",
            found=f"'{sheet['none']}', which is a label",
            expected="words that are not a label of the dataset",
            fix="Choose other words for 'no label applies'.",
        )
    for key, answer in sheet["examples"].items():
        unknown = [label for label in answer if label not in labels]
        if unknown:
            raise InputError(
                where=f"{path}, key 'examples.{key}'",
                found=f"the label '{unknown[0]}'",
                expected=f"labels of the dataset: {', '.join(labels)}",
                fix="Correct the label, or `label_names` in the datasets sheet.",
            )


@dataclass(frozen=True)
class JudgePrompt:
    """The prompt of a judge of answers, and the form of its own answer.

    The judge names a label of `prompt`, or says `prompt.none`. The last label is `refused`, for
    answers that decline.
    """

    prompt: Prompt
    question: str
    refused: str

    def text(self, *, prompt: str, answer: str) -> str:
        """Return the text that asks what an answer to a prompt means."""
        filled = {"{prompt}": prompt, "{answer}": answer}
        return FIELD.sub(lambda found: filled[found[0]], self.question)


def check_judge_prompt(
    sheet: "JudgeSheet", *, path: str | Path, labels: Sequence[str]
) -> JudgePrompt:
    """Return the prompt that the sheet in the file `path` describes, for a probe's `labels`.

    Raises `InputError` if its words for no label and for a refusal are labels, or equal.
    """
    taken = {label.casefold() for label in labels}
    for key, word in {"none": sheet.none, "refused": sheet.refused}.items():
        if word.casefold() in taken:
            raise InputError(
                where=f"{path}, key '{key}'",
                found=f"'{word}'",
                expected="words that are neither a label of a probe nor those of another key",
                fix="Choose other words, here and in the instruction.",
            )
        taken.add(word.casefold())
    prompt = Prompt(
        version=sheet.version,
        instruction=sheet.instruction.replace("{labels}", ", ".join(labels)),
        question="{text}",
        none=sheet.none,
        max_answer_tokens=sheet.max_answer_tokens,
        examples={},
        labels=(*labels, sheet.refused),
    )
    return JudgePrompt(prompt, sheet.question, sheet.refused)
