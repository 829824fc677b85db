"""The sheets of probes."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .types import Count, Distinct, FilePath, Sheet, text

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
