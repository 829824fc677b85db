"""The prompts of a dataset, and of a judge of answers."""

from typing import Annotated

from pydantic import Field

from .types import Count, Distinct, Sheet

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
    instruction: str
    """text that comes once, before the examples (in a chat, the system's turn); {labels} is
    replaced by the names of the dataset's labels"""
    question: str
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
    instruction: str
    """text that comes once (in a chat, the system's turn); {labels} is replaced by the probe's
    labels"""
    question: str
    """how an answer is shown, up to the reply of the judge; {prompt} and {answer} are replaced"""
    none: str = Field(default="None", pattern="\\S")
    """the judge's reply for an answer that names no label, or several"""
    refused: str = Field(default="Refused", pattern="\\S")
    """the judge's reply for an answer that declines"""
    max_answer_tokens: Count = 16
    """how many tokens the reply of the judge may have"""
