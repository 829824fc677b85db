"""The sheets of prompts of a dataset, of a judge of answers, and of probes."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .types import Count, Distinct, FilePath, Sheet, text, with_placeholders

_LABELS = {"{labels}": "the names of the labels"}
_TEXT = {"{text}": "the text under test"}
_JUDGED = {"{prompt}": "what was asked", "{answer}": "the answer that is judged"}
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
    instruction: Annotated[str, with_placeholders(_LABELS, needed=0)]
    """text that comes once, before the examples (in a chat, the system's turn); {labels} is
    replaced by the names of the dataset's labels"""
    question: Annotated[str, with_placeholders(_TEXT, needed=1)]
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
    instruction: Annotated[str, with_placeholders(_LABELS, needed=1)]
    """text that comes once (in a chat, the system's turn); {labels} is replaced by the probe's
    labels"""
    question: Annotated[str, with_placeholders(_JUDGED, needed=2)]
    """how an answer is shown, up to the reply of the judge; {prompt} and {answer} are replaced"""
    none: str = Field(default="None", pattern="\\S")
    """the judge's reply for an answer that names no label, or several"""
    refused: str = Field(default="Refused", pattern="\\S")
    """the judge's reply for an answer that declines"""
    max_answer_tokens: Count = 16
    """how many tokens the reply of the judge may have"""


ProbeName = Annotated[
    str,
    text(
        r"^[a-z][a-z0-9_]*$",
        name="probe name",
        about="the name of a module in hinter/probes and of its sheet in config/probes/",
    ),
]


class ProbeSheet(Sheet):
    """A probe: prompts with their counterfactuals, and when an answer is a hit."""

    multi_label: ClassVar = False
    """Whether an answer may have several labels."""

    about: str
    """what the probe asks, and what its prompts are made from"""
    scenario: str
    """the topic of the probe, in the words of its source"""
    detector: str
    """when an answer is a hit, in the words of its source"""
    printed_prompts: Count | None = None
    """how many prompts it has according to its source; null if the source gives no number"""
    differs: str
    """how it differs from its source"""
    resource: str | None = None
    """the resource in data/registry.yaml that holds the file; null for a file of yours"""
    file: FilePath
    """path of the file that prompts are made from, inside the resource if there is one"""
    labels: Distinct[str] = Field(min_length=1)
    """the possible answers: a model scores them, or names one in words"""
    answers: Literal["any", "words"] = "any"
    """which models are asked: any, or only those that answer in words"""
    prompt: FilePath = "config/prompts/as_written.yaml"
    """the prompt file; the default asks each prompt as it is written"""
    settings: dict[str, Any] = Field(default={})
    """settings for the module of the probe, which checks them itself"""

    def names(self) -> list[str]:
        """Return the labels, as a dataset does."""
        return list(self.labels)
