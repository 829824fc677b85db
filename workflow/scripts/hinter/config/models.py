"""The models sheet."""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from .types import LARGEST, Count, FilePath, Number, Positive, Shards, Sheet

ModelName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*$",
        json_schema_extra={"format": "model name"},
        description="a model's name of lower-case letters, digits, hyphens, underscores and single "
        "dots inside",
    ),
]
TextTokens = Annotated[int, Field(ge=8, le=LARGEST)]
ContextTokens = Annotated[int, Field(ge=16, le=LARGEST)]


class Model(Sheet):
    """The keys of every model."""

    about: str = Field(description="what the model is")
    datasets: list[str] | None = Field(
        default=None, description="the datasets of the study that it is run on; null is all"
    )
    discarded: bool = Field(
        default=True,
        description="whether it is run on the discarded mutants of a suite, where there are any",
    )
    shards: Shards = Field(
        default=1,
        description="number of jobs that a suite is divided into; results do not depend on it",
    )


class LocalModel(Model):
    """The keys of every model that runs here."""

    resource: str | None = Field(
        default=None, description="the resource in data/registry.yaml that holds the model"
    )
    folder: FilePath | None = Field(
        default=None,
        description="a folder of yours with the model, as save_pretrained writes it",
    )
    batch_tokens: Count = Field(
        default=8192,
        description="tokens per batch, padding and prompt included; changes speed, never an "
        "outcome",
    )
    threads: Count = Field(
        default=2,
        description="CPU threads; a training depends on their number, so --cores does not set it",
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        default="auto", description="where it runs; auto is CUDA where there is a device"
    )
    dtype: Literal["float32", "bfloat16"] = Field(
        default="float32", description="type of numbers it computes with; bfloat16 is for GPUs"
    )


class FineTuning(Sheet):
    """How an encoder is fine-tuned."""

    epochs: Count = Field(description="passes over the training split")
    learning_rate: Positive = Field(description="peak learning rate")
    batch_size: Count = Field(default=16, description="texts per step")
    patience: Count | None = Field(
        default=None,
        description="keep the epoch of the best micro F1 on the split `validation`, and stop after "
        "this many epochs without a better one; null trains all epochs and keeps the last",
    )
    published_as: str | None = Field(
        default=None,
        description="the model in data/lexglue/published_scores.csv whose scores stand beside ours",
    )


class Encoder(LocalModel):
    """A sequence classifier."""

    kind: Literal["encoder"] = Field(description="a sequence classifier")
    max_tokens: TextTokens = Field(
        default=512, description="how many tokens of a text the model sees"
    )
    fine_tuning: FineTuning | None = Field(
        default=None,
        description="how the model is fine-tuned on the split `training`; null uses it as it is",
    )

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        if self.fine_tuning is None:
            return []
        early = ["validation"] if self.fine_tuning.patience else []
        return ["label", "label_names", "training", *early]


class Causal(LocalModel):
    """A prompted language model that runs here."""

    kind: Literal["causal"] = Field(description="a prompted language model that runs here")
    gguf: FilePath | None = Field(
        default=None, description="the GGUF file inside the resource, converted once in the run"
    )
    answers: Literal["scored", "generated"] = Field(
        default="scored",
        description="scored (the likeliest label, calibrated) or generated (the label named in an "
        "answer in words)",
    )
    chat: bool = Field(
        default=False, description="whether the prompt is put into the model's chat template"
    )
    context_tokens: ContextTokens | None = Field(
        default=None,
        description="tokens of prompt and answer together; null is the model's own limit",
    )
    max_tokens: TextTokens | None = Field(
        default=None,
        description="how many tokens of a text the model sees; null is all that fit",
    )

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        scored = self.answers == "scored"
        return ["prompt", "label_names", *(["calibration"] if scored else [])]


class Endpoint(Model):
    """A prompted language model behind an OpenAI-compatible server."""

    kind: Literal["endpoint"] = Field(
        description="a prompted language model behind an OpenAI-compatible server"
    )
    base_url: Annotated[str, Field(pattern="^https?://[^/?#@]+([/?#]|$)")] = Field(
        description="where the server is, such as http://localhost:8000/v1; without a user or a "
        "password, for which there is key_variable"
    )
    model: str = Field(
        min_length=1, description="the model's name on the server, and in the price sheet"
    )
    key_variable: Annotated[str, Field(pattern="^[A-Z][A-Z0-9_]*$")] | None = Field(
        default=None,
        description="the environment variable that holds the key; null where none is needed",
    )
    tokenizer: FilePath = Field(
        description="what counts the tokens of prompts: a resource in data/registry.yaml, or a "
        "folder of yours, with the model's tokenizer"
    )
    context_tokens: ContextTokens = Field(
        default=4096, description="tokens of prompt and answer together"
    )
    max_tokens: TextTokens | None = Field(
        default=None,
        description="how many tokens of a text the model sees; null is all that fit",
    )
    temperature: Number = Field(
        default=0, description="sampling temperature; at 0 it gives the likeliest words"
    )
    concurrency: Count = Field(
        default=32,
        description="most questions asked at once; fewer while answers do not come in time; "
        "changes speed, never an answer",
    )
    timeout_seconds: Positive = Field(
        default=120,
        description="how long one call may take, from the connection to the last byte, before the "
        "question is asked again",
    )

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have to be run on."""
        return ["prompt", "label_names"]


AnyModel = Annotated[Encoder | Causal | Endpoint, Field(discriminator="kind")]


class Models(RootModel[dict[ModelName, AnyModel]]):
    """The models sheet."""
