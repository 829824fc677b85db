"""The common part of all kinds of models: keys of entries, and what a study needs to know."""

import json
import re
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import AfterValidator, Field

from ..types import LARGEST, Count, FilePath, Shards, Sheet, fault

TextTokens = Annotated[int, Field(ge=8, le=LARGEST)]
ContextTokens = Annotated[int, Field(ge=16, le=LARGEST)]


class Source(NamedTuple):
    """The files of a model before it runs: a `resource`, or a `path` from the key `key`."""

    key: str
    resource: str | None = None
    path: str | None = None


class Model(Sheet):
    """The keys of every model.

    `opened_by` is the library function that opens the model (`MODULE:FUNCTION`), or None if it is
    asked outside this workflow. `holds` says which files its source must contain, those of a model
    or of a tokenizer; None checks neither. A study also looks for the keys `fine_tuning`, `gguf`,
    `threads`, `device` and `scores`.
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
    """whether it is run on the discarded mutants of a suite, if there are any"""
    shards: Shards = 1
    """number of jobs that a suite is divided into; results do not depend on it"""

    @property
    def in_words(self) -> bool:
        """Whether it answers in words, rather than by calibrated scores of labels."""
        needs = self.needs()
        return "prompt" in needs and "calibration" not in needs

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have for it to be run on."""
        return ["label_names"]

    def source(self, resources: Container[str]) -> Source:
        """Return its source, given the names of all resources."""
        return Source("files")

    @classmethod
    def entry_of(cls, named: str) -> dict[str, Any] | None:
        """Return the keys of a new entry for what a user names, or None if it is of another kind.

        This may be a folder, a function or an address.
        """
        return None

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, or `default` if entries of its kind have no such key."""
        return getattr(self, key, default)


def architecture(folder: str) -> str | None:
    """Return the architecture of a model that `save_pretrained` wrote to a folder, if known."""
    path = Path(folder, "config.json")
    settings = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return next(iter(settings.get("architectures") or ()), None)


def _check_form(form: dict[str, str]) -> dict[str, str]:
    if len(form) != 1:
        raise fault(found=f"{len(form)} keys", expected="either json or pattern")
    try:
        groups = re.compile(form.get("pattern", "(?P<label>)")).groupindex
    except re.error as error:
        raise fault(found=f"a pattern that is not valid ({error})") from None
    if "label" not in groups:
        raise fault(found="a pattern without the group", expected="(?P<label>...) in it")
    return form


AnswerForm = Annotated[dict[Literal["json", "pattern"], str], AfterValidator(_check_form)]


class Prompted(Model):
    """The keys of every model that is prompted."""

    prompts: Annotated[int, Field(ge=1, le=100)] = 1
    """with how many prompts it is asked about all texts: the dataset's `prompt` and `more_prompts`,
    then these again, the first example moved to the end each time; the name of the second ends with
    .prompt2; the table `seeds` shows which findings do not depend on the prompt"""
    answer: AnswerForm | None = None
    """the part of an answer in words that names the label: {json: KEY}, the value of a key in
    JSON, or {pattern: "...(?P<label>...)"}, the group of a regular expression; null is all"""


class LocalModel(Model):
    """The keys of every model that runs here."""

    holds = "model"

    resource: str | None = None
    """the resource in data/registry.yaml that holds the model"""
    folder: FilePath | None = None
    """a folder of yours with the model, as save_pretrained writes it"""
    batch_tokens: Count = 8192
    """maximum number of tokens per batch, with padding and prompt; reduced if a GPU has less free
    memory; changes the speed, never an outcome"""
    threads: Count = 2
    """number of CPU threads; --cores does not set it, as the result of training depends on it"""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """where it runs; auto is CUDA if there is a device"""
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"
    """number format of the computation; bfloat16 is for GPUs, float16 for those without fast
    bfloat16 (V100)"""
    scores: bool = True
    """whether models that choose among labels keep the scores of labels; scores are computed at
    least in float32, so false is faster where half precision is fast"""

    def source(self, resources: Container[str]) -> Source:
        """Return the resource or the folder that holds it."""
        return Source("resource" if self.resource else "folder", self.resource, self.folder)
