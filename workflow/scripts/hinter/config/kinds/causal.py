"""Models of `kind: causal`."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ..types import FilePath, fault
from .model import ContextTokens, LocalModel, Prompted, TextTokens, architecture


class Causal(Prompted, LocalModel):
    """A prompted language model that runs here."""

    opened_by = "models.local:open_causal"

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
    """words with which the model's answer in a chat begins, such as "Answer:"; the model continues
    after them"""
    context_tokens: ContextTokens | None = None
    """tokens of prompt and answer together; null is the model's own limit"""
    max_tokens: TextTokens | None = None
    """how many tokens of a text the model sees; null is all that fit"""

    @classmethod
    def entry_of(cls, named: str) -> dict[str, Any] | None:
        """Return the entry of a folder with a language model."""
        is_one = (architecture(named) or "").endswith(("ForCausalLM", "LMHeadModel"))
        return {"folder": named} if is_one else None

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have for the model to run on it."""
        scored = self.answers == "scored"
        return ["prompt", "label_names", *(["calibration"] if scored else [])]

    @model_validator(mode="after")
    def _check_prefix(self) -> Self:
        if self.answer_prefix is not None and not self.chat:
            expected = "`chat: true` with it, as a plain prompt has its own last words"
            raise fault(key="answer_prefix", found="it without a chat", expected=expected)
        if self.answer and self.answers == "scored":
            expected = "`answers: generated` with it, as scored answers have no words"
            raise fault(key="answer", found="it with scored answers", expected=expected)
        return self


KIND = Causal
