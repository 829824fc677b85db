"""Models of `kind: encoder`."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ..types import Attribute, Count, Distinct, Positive, Sheet, fault
from .model import LocalModel, TextTokens, architecture


class Augmentation(Sheet):
    """Texts that are added to the training split of an encoder."""

    texts: Literal["counterfactuals", "originals"] = "counterfactuals"
    """counterfactuals (valid mutants of training texts, with the labels of their originals) or
    originals (each of these originals again, as often as it has counterfactuals: a control with
    as much training)"""
    per_original: Count = 4
    """the maximum number of texts that are added for a training text, evenly over combinations of
    attributes"""
    attributes: Distinct[Attribute] | None = Field(default=None, min_length=1)
    """the attributes that counterfactuals change, among those of the study; null is all"""


class FineTuning(Sheet):
    """How an encoder is fine-tuned."""

    epochs: Count
    """number of passes over the training split"""
    learning_rate: Positive
    """peak learning rate"""
    batch_size: Count = 16
    """texts per step"""
    patience: Count | None = None
    """stop after this many epochs without a better micro F1 on the split `validation`, and keep the
    best epoch; null trains all epochs and keeps the last"""
    seeds: Annotated[int, Field(ge=1, le=100)] = 1
    """how often the model is fine-tuned, each time with another seed; the name of the second ends
    with .seed2; the table `seeds` shows which findings do not depend on the seed"""
    published_as: str | None = None
    """the model in data/lexglue/published_scores.csv with whose scores ours are compared"""
    augment: Augmentation | None = None
    """the texts that are added to those of the split `training`; null adds none"""


class Encoder(LocalModel):
    """A sequence classifier."""

    opened_by = "models.local:Encoder"

    kind: Literal["encoder"]
    """a sequence classifier"""
    max_tokens: TextTokens = 512
    """how many tokens of a text the model sees"""
    fine_tuning: FineTuning | None = None
    """how the model is fine-tuned on the split `training`; null does not fine-tune it"""
    labels: dict[str, str] = Field(default={})
    """the dataset's name for each label that has another name in the model, such as LABEL_0"""

    @model_validator(mode="after")
    def _check_labels(self) -> Self:
        if self.labels and self.fine_tuning:
            expected = "only one of them, as a fine-tuned model has the dataset's labels"
            raise fault(key="fine_tuning", found="it along with `labels`", expected=expected)
        return self

    @classmethod
    def entry_of(cls, named: str) -> dict[str, Any] | None:
        """Return the entry of a folder with a classifier, or with an encoder to fine-tune."""
        found = architecture(named)
        if found is None or not found.endswith(
            ("Model", "ForMaskedLM", "ForSequenceClassification")
        ):
            return None
        tuned = found.endswith("ForSequenceClassification")
        tuning = {"epochs": 3, "learning_rate": 5e-5, "batch_size": 8}
        return {"folder": named, **({} if tuned else {"fine_tuning": tuning})}

    def needs(self) -> list[str]:
        """Return the keys and splits that a dataset must have for the model to run on it."""
        if self.fine_tuning is None:
            return []
        early = ["validation"] if self.fine_tuning.patience else []
        return ["label", "label_names", "training", *early]


KIND = Encoder
