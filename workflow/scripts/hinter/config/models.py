"""The models sheet."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, RootModel, model_validator

from .types import (
    LARGEST,
    Address,
    Attribute,
    Count,
    Distinct,
    FilePath,
    Number,
    Positive,
    Seconds,
    Shards,
    Sheet,
    fault,
    text,
)

ModelName = Annotated[
    str,
    text(
        r"^[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*$",
        name="model name",
        about="a model's name of lower-case letters, digits, hyphens, underscores and single dots "
        "inside",
    ),
]
Variable = Annotated[str, Field(pattern="^[A-Z][A-Z0-9_]*$")]
HeaderName = Annotated[str, text(r"^[A-Za-z0-9-]+$", name="name of a header")]
OF_THE_ENTRY = {"model", "messages", "prompt", "max_tokens", "max_completion_tokens", "temperature"}
OF_THE_ENTRY |= {"stream", "n", "logprobs", "top_logprobs"}
"""Parameters that keys of an endpoint and the prompt file set, or that answers depend on."""
TextTokens = Annotated[int, Field(ge=8, le=LARGEST)]
ContextTokens = Annotated[int, Field(ge=16, le=LARGEST)]


class Model(Sheet):
    """The keys of every model."""

    about: str
    """what the model is"""
    datasets: list[str] | None = None
    """the datasets of the study that it is run on; null is all"""
    discarded: bool = True
    """whether it is run on the discarded mutants of a suite, where there are any"""
    shards: Shards = 1
    """number of jobs that a suite is divided into; results do not depend on it"""


class LocalModel(Model):
    """The keys of every model that runs here."""

    resource: str | None = None
    """the resource in data/registry.yaml that holds the model"""
    folder: FilePath | None = None
    """a folder of yours with the model, as save_pretrained writes it"""
    batch_tokens: Count = 8192
    """most tokens per batch, padding and prompt included; fewer where a GPU has less memory free;
    changes speed, never an outcome"""
    threads: Count = 2
    """CPU threads; a training depends on their number, so --cores does not set it"""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """where it runs; auto is CUDA where there is a device"""
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    """type of numbers it computes with; bfloat16 is for GPUs, float16 for those without fast
    bfloat16 (V100)"""
    scores: bool = True
    """whether the scores of labels are kept, by models that choose among labels; for scores they
    compute in float32 at least, so false is faster where half precision is"""


class Augmentation(Sheet):
    """Texts that an encoder is fine-tuned on beside those of the training split."""

    texts: Literal["counterfactuals", "originals"] = "counterfactuals"
    """counterfactuals (valid mutants of training texts, with the labels of their originals) or
    originals (these originals again, each as often as it would have counterfactuals: a control
    that is trained as long)"""
    per_original: Count = 4
    """how many texts, at most, are added for a training text, evenly over combinations of
    attributes"""
    attributes: Distinct[Attribute] | None = Field(default=None, min_length=1)
    """the attributes that counterfactuals change, among those of the study; null is all"""


class FineTuning(Sheet):
    """How an encoder is fine-tuned."""

    epochs: Count
    """passes over the training split"""
    learning_rate: Positive
    """peak learning rate"""
    batch_size: Count = 16
    """texts per step"""
    patience: Count | None = None
    """keep the epoch of the best micro F1 on the split `validation`, and stop after this many
    epochs without a better one; null trains all epochs and keeps the last"""
    seeds: Annotated[int, Field(ge=1, le=100)] = 1
    """how often the model is fine-tuned, each time with another seed: what the second is named ends
    in .seed2; the table `seeds` tells which findings do not depend on the seed"""
    published_as: str | None = None
    """the model in data/lexglue/published_scores.csv whose scores stand beside ours"""
    augment: Augmentation | None = None
    """the texts that are added to those of the split `training`; null adds none"""


class Encoder(LocalModel):
    """A sequence classifier."""

    kind: Literal["encoder"]
    """a sequence classifier"""
    max_tokens: TextTokens = 512
    """how many tokens of a text the model sees"""
    fine_tuning: FineTuning | None = None
    """how the model is fine-tuned on the split `training`; null uses it as it is"""
    labels: dict[str, str] = Field(default={})
    """the dataset's name of each label that the model calls otherwise, such as LABEL_0"""

    @model_validator(mode="after")
    def _check_labels(self) -> Self:
        if self.labels and self.fine_tuning:
            expected = "`labels` without it, as its labels are then the dataset's"
            raise fault(key="fine_tuning", found="it beside `labels`", expected=expected)
        return self

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        if self.fine_tuning is None:
            return []
        early = ["validation"] if self.fine_tuning.patience else []
        return ["label", "label_names", "training", *early]


class Causal(LocalModel):
    """A prompted language model that runs here."""

    kind: Literal["causal"]
    """a prompted language model that runs here"""
    gguf: FilePath | None = None
    """the GGUF file inside the resource, converted once in the run"""
    answers: Literal["scored", "generated"] = "scored"
    """scored (the likeliest label, calibrated) or generated (the label named in an answer in
    words)"""
    chat: bool = False
    """whether the prompt is put into the model's chat template"""
    answer_prefix: Annotated[str, Field(pattern=r"\S$")] | None = None
    """words with which the model's answer begins in a chat, such as "Answer:"; it goes on from
    there"""
    context_tokens: ContextTokens | None = None
    """tokens of prompt and answer together; null is the model's own limit"""
    max_tokens: TextTokens | None = None
    """how many tokens of a text the model sees; null is all that fit"""

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        scored = self.answers == "scored"
        return ["prompt", "label_names", *(["calibration"] if scored else [])]

    @model_validator(mode="after")
    def _check_prefix(self) -> Self:
        if self.answer_prefix is not None and not self.chat:
            expected = "`chat: true` with it, as a plain prompt ends with words of its own"
            raise fault(key="answer_prefix", found="it without a chat", expected=expected)
        return self


class Endpoint(Model):
    """A prompted language model behind an OpenAI-compatible server."""

    kind: Literal["endpoint"]
    """a prompted language model behind an OpenAI-compatible server"""
    base_url: Address
    """where the server is, such as http://localhost:8000/v1; without a user or a password, for
    which there is key_variable"""
    model: str = Field(min_length=1)
    """the model's name on the server, and in the price sheet"""
    key_variable: Variable | None = None
    """the environment variable that holds the key; null where none is needed"""
    tokenizer: FilePath
    """what counts the tokens of prompts: a resource in data/registry.yaml, or a folder of yours,
    with the model's tokenizer"""
    context_tokens: ContextTokens = 4096
    """tokens of prompt and answer together"""
    max_tokens: TextTokens | None = None
    """how many tokens of a text the model sees; null is all that fit"""
    temperature: Number | None = 0
    """sampling temperature; at 0 it gives the likeliest words; null leaves it out of requests, for
    servers that take none: their answers vary, and `repeats` measures how much"""
    chat: bool = True
    """whether it is asked in a chat; false has it go on from a plain text, as base models do"""
    system_turn: bool = True
    """whether the instruction is a turn of the system; false puts it into the first question"""
    parameters: dict[str, Any] = Field(default={})
    """further parameters of each request, such as reasoning_effort: low; null leaves one out, such
    as seed"""
    headers: dict[HeaderName, Variable] = Field(default={})
    """further headers of each request, with the environment variables that hold their values, such
    as api-key: AZURE_KEY"""
    concurrency: Count = 32
    """most questions asked at once; fewer while answers do not come in time; changes speed,
    never an answer"""
    timeout_seconds: Seconds = 120
    """how long one call may take, from the connection to the last byte, before the question is
    asked again"""

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        return ["prompt", "label_names"]

    @model_validator(mode="after")
    def _check_parameters(self) -> Self:
        ours = sorted(OF_THE_ENTRY & self.parameters.keys())
        if ours:
            expected = "none that the entry's other keys, the prompt file or the study itself set"
            raise fault(key="parameters", found=f"'{ours[0]}'", expected=expected)
        try:
            json.dumps(self.parameters)
        except TypeError as error:
            expected = "values that JSON has; put dates in quotes"
            raise fault(key="parameters", found=str(error), expected=expected) from None
        return self


class Function(Model):
    """A function of the user's."""

    kind: Literal["python"]
    """a Python function of yours, called in the job"""
    function: str = Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$")
    """MODULE:FUNCTION; it is given a list of texts, and returns for each a label, a list of labels
    where texts may have several, or a mapping of every label to its score (a logit)"""
    folder: FilePath = "."
    """the folder in which the module stands; others beside it can be imported"""
    version: Count = 1
    """raised with every change of what the function answers that is not in its module, such as
    other weights; answers of another version are not used"""
    batch_size: Count = 32
    """most texts per call"""
    threads: Count = 2
    """CPU threads that its jobs take"""
    device: Literal["auto", "cpu", "cuda"] = "cpu"
    """where it computes; cuda has each job ask for a GPU, auto does where there is one"""

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        return ["label_names"]

    def path(self) -> str:
        """Return the path of the module."""
        module, _, _ = self.function.partition(":")
        return str(Path(self.folder, *module.split(".")).with_suffix(".py"))


class Answers(Model):
    """A model that is asked elsewhere."""

    kind: Literal["answers"]
    """a model that is asked elsewhere: `snakemake suite` writes what it is to be asked, and its
    answers are read from files"""
    files: dict[str, FilePath] = Field(min_length=1)
    """its answers to each dataset: a CSV, JSON lines or Parquet file"""

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        return ["label_names"]


AnyModel = Annotated[Encoder | Causal | Endpoint | Function | Answers, Field(discriminator="kind")]


class Models(RootModel[dict[ModelName, AnyModel]]):
    """The models sheet."""
