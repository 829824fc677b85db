"""The sheets of probes, and of the prompts that metamorphic relations rewrite."""

from typing import Annotated, Any, Literal

from pydantic import Field

from .types import Count, Distinct, FilePath, ListTag, Sheet, TextTag, by_type, text

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

    @property
    def multi_label(self) -> bool:
        """Whether an answer may have several labels: always false."""
        return False

    def names(self) -> list[str]:
        """Return the labels, as a dataset does."""
        return list(self.labels)


AttributeName = Annotated[
    str,
    text(r"^[a-z]+(_[a-z]+)*$", name="name", about="a name of lower-case letters and underscores"),
]
Words = Annotated[
    str, text(r"^\S(.*\S)?$", name="wording", about="words without white space around them")
]
"""Words in which `{name}` and `{adjective}` stand for a value."""
Phrase = Annotated[
    Annotated[Words, TextTag] | Annotated[list[Words], Field(min_length=2, max_length=2), ListTag],
    by_type,
    Field(description="the phrase, or a list of it and another one of the same meaning"),
]


class Value(Sheet):
    """A value of a sensitive attribute."""

    adjective: Words | None = None
    """the adjective of the value's name (Jewish for Judaism); null is the name itself"""
    contrast: str
    """the other value by which negation replaces it"""


class SensitiveAttribute(Sheet):
    """A sensitive attribute."""

    clause: Words
    """what follows "someone who" for a person with a value of it; `{name}` and `{adjective}` stand
    for the value"""
    values: dict[Words, Value] = Field(min_length=2)
    """its values by name"""


class Gap(Sheet):
    """A slot in a template."""

    join: Literal["list", "commas"] = "list"
    """how several phrases are joined: as a list (a, b, and c), or by commas alone as adjectives"""
    bare: str = ""
    """the text of the slot without any phrase"""
    phrases: dict[AttributeName, Phrase] = Field(min_length=1)
    """the phrase of each attribute that the slot can hold, in their order in the text"""


class PromptTemplate(Sheet):
    """A template of prompts. A slot is written as its name in braces."""

    printed: bool = False
    """whether the paper prints it"""
    main: Words
    """its main clause, without a capital letter at the start and without an end"""
    setting: Words | None = None
    """the context, which can come before or after the main clause"""
    setting_first: bool = False
    """whether the setting comes before the main clause"""
    end: Literal["?", "."] = "?"
    """how the sentence ends"""
    contextual: Words
    """the main clause in other words"""
    structural: Words
    """the main clause in another grammatical form"""
    gaps: dict[AttributeName, Gap] = Field(min_length=1)
    """its slots by name"""


class RelationsSheet(Sheet):
    """Prompts about people with sensitive attributes."""

    attributes: dict[AttributeName, SensitiveAttribute] = Field(min_length=1)
    """the sensitive attributes by name"""
    templates: dict[AttributeName, PromptTemplate] = Field(min_length=1)
    """the templates by name"""
