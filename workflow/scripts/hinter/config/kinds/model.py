"""What all kinds of models have in common: keys of entries, and what a study asks of them."""

from collections.abc import Container
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from ..types import LARGEST, Count, FilePath, Shards, Sheet

TextTokens = Annotated[int, Field(ge=8, le=LARGEST)]
ContextTokens = Annotated[int, Field(ge=16, le=LARGEST)]


class Source(NamedTuple):
    """What is read of a model before it runs: a `resource`, or the `path` that a `key` names."""

    key: str
    resource: str | None = None
    path: str | None = None


class Model(Sheet):
    """The keys of every model.

    `opened_by` is the function of the library that opens one (`MODULE:FUNCTION`), None where it
    is not asked here; `holds` is what files must be at its source, if they are checked: those of a
    model or a tokenizer. A study also looks whether entries of its kind have the keys
    `fine_tuning`, `gguf`, `threads`, `device` or `scores`.
    """

    opened_by: ClassVar[str | None] = None
    holds: ClassVar[Literal["model", "tokenizer"] | None] = None
    if TYPE_CHECKING:
        kind: str

    about: str
    """what the model is"""
    datasets: list[str] | None = None
    """the datasets of the study that it is run on; null is all"""
    discarded: bool = True
    """whether it is run on the discarded mutants of a suite, where there are any"""
    shards: Shards = 1
    """number of jobs that a suite is divided into; results do not depend on it"""

    @property
    def in_words(self) -> bool:
        """Whether it answers in words, and not by scores of labels, which are calibrated."""
        needs = self.needs()
        return "prompt" in needs and "calibration" not in needs

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have for it to be run on."""
        return ["label_names"]

    def source(self, resources: Container[str]) -> Source:
        """Return what is read of it, given the names of all resources."""
        return Source("files")

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, `default` where entries of its kind have no such key."""
        return getattr(self, key, default)


class LocalModel(Model):
    """The keys of every model that runs here."""

    holds = "model"

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

    def source(self, resources: Container[str]) -> Source:
        """Return the resource or the folder that holds it."""
        return Source("resource" if self.resource else "folder", self.resource, self.folder)
