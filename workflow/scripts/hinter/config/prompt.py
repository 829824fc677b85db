"""The prompts of a dataset, and of a judge of answers."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field

from .types import Count, Distinct, Sheet, fault

PLACEHOLDER = re.compile(r"\{\s*\w*\s*\}")
_LABELS = {"{labels}": "the names of the labels"}
_TEXT = {"{text}": "the text under test"}
_JUDGED = {"{prompt}": "what was asked", "{answer}": "the answer that is judged"}


def _with(known: Mapping[str, str], *, needed: bool = True) -> AfterValidator:
    """Return the check of a text with no placeholders but the `known` ones, by their meanings.

    If they are `needed`, none may be missing.
    """

    def check(text: str) -> str:
        unknown = set(PLACEHOLDER.findall(text)) - known.keys()
        if unknown:
            raise fault(
                found=f"the placeholder {min(unknown)}",
                expected=f"no placeholder but {' and '.join(known)}",
                fix="Correct or remove it.",
            )
        for name, meaning in known.items():
            if needed and name not in text:
                expected = f"{name}, which stands for {meaning}"
                raise fault(found=f"no placeholder {name}", expected=expected, fix="Add it.")
        return text

    return AfterValidator(check)


ExampleName = Annotated[
    str,
    Field(
        pattern=r"^([0-9a-f]{16}|[^\s:]+:[0-9]+)$",
        description="an original_id (16 hexadecimal digits, in quotes) or SPLIT:ROW",
    ),
]
Labels = Distinct[Annotated[str, Field(description="the name of a label, as text")]]


class PromptSheet(Sheet):
    """The prompt of one dataset."""

    version: Count
    """raised with every change of the wording"""
    instruction: Annotated[str, _with(_LABELS, needed=False)]
    """text that comes once, before the examples (in a chat, the system's turn); {labels} is
    replaced by the names of the dataset's labels"""
    question: Annotated[str, _with(_TEXT)]
    """how an example and the text under test are shown, up to the answer; {text} is replaced"""
    none: str = Field(default="None", pattern="\\S")
    """the answer if no label applies"""
    max_answer_tokens: Count = 16
    """how many tokens an answer may have"""
    examples: dict[ExampleName, Labels]
    """the examples with their labels (an empty list if none applies), in the order shown; they
    are never tested"""


class JudgeSheet(Sheet):
    """The prompt with which a model labels answers in words."""

    version: Count
    """raised with every change of the wording"""
    instruction: Annotated[str, _with(_LABELS)]
    """text that comes once (in a chat, the system's turn); {labels} is replaced by the probe's
    labels"""
    question: Annotated[str, _with(_JUDGED)]
    """how an answer is shown, up to the reply of the judge; {prompt} and {answer} are replaced"""
    none: str = Field(default="None", pattern="\\S")
    """the judge's reply for an answer that names no label, or several"""
    refused: str = Field(default="Refused", pattern="\\S")
    """the judge's reply for an answer that declines"""
    max_answer_tokens: Count = 16
    """how many tokens the reply of the judge may have"""
