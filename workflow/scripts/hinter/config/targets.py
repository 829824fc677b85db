"""What targets and tables beyond the default ones are told."""

from typing import Annotated

from pydantic import Field

from .types import Confidence, Count, CsvPath, Distinct, FilePath, Share, Sheet, StudyFolder, text

Metric = Annotated[str, text("^[a-z]+$", name="metric", about="a name of lower-case letters")]


class Ladder(Sheet):
    """How the target `ladder` goes from this study to what the paper's authors' code does."""

    originals: Count = 200
    """how many of the tested texts of each dataset it is climbed on"""
    pairs: CsvPath | None = None
    """path of a CSV file with the authors' word pairs, in the form of `pairs`; null leaves their
    rung out"""
    models: Distinct[str] | None = None
    """names of those of the study's models that are run on every rung, none behind an endpoint;
    null is its encoders"""


class Rater(Sheet):
    """A classifier of answers."""

    model: str
    """name of an encoder in the models sheet"""
    dataset: str
    """name of the dataset in the datasets sheet whose labels it gives, and that it is fine-tuned
    on where its entry says how"""


class Relations(Sheet):
    """Prompts that are rewritten by metamorphic relations, and what rates the answers to them."""

    prompts: FilePath = "config/relations/prompts.yaml"
    """path of the sheet with their templates, attributes and values"""
    sources: Count = 24
    """how many sources are drawn, evenly over templates, from all that the sheet makes"""
    prompt: FilePath = "config/relations/answer.yaml"
    """path of the prompt file that says how models are asked them"""
    raters: dict[Metric, Rater] = Field(default={})
    """what the answers are rated by: a classifier for each metric, such as sentiment and tone;
    without any, no model is asked, and the target `relations` rewrites prompts alone"""

    @property
    def multi_label(self) -> bool:
        """Whether an answer may have several labels: it has none."""
        return False

    def names(self) -> list[str]:
        """Return the labels, as a dataset does: answers are in the model's own words."""
        return []


class Judge(Sheet):
    """A model that says what answers in words mean."""

    model: str
    """name of a model in the models sheet that answers in words"""
    prompt: FilePath = "config/prompts/judge.yaml"
    """path of the prompt file that says how it is asked"""


class Assessment(Sheet):
    """Mutants that people read."""

    mutants: Count = 60
    """how many valid mutants of the suites the form has, evenly over datasets, orders and
    originals"""
    answers: Distinct[CsvPath] = Field(default=[])
    """paths of the forms that people filled in, one per reader, named for the reader"""


class Gate(Sheet):
    """A model that may take the place of another one."""

    candidate: str
    """name of the model that may pass: one of the study's"""
    baseline: str
    """name of the model that it is compared with: one of the study's, or of the study in
    `baseline_folder`"""
    baseline_folder: StudyFolder | None = None
    """folder of another study of the same suite, whose results on the baseline are read; null runs
    the baseline in this study"""
    threshold: Share = 0.02
    """how much larger the candidate's excess bias, as a share of mutants, may be than the
    baseline's"""
    confidence: Confidence = 0.95
    """of the two-sided intervals whose ends decide"""


class Mitigation(Sheet):
    """Models by which is told whether training on counterfactuals removes bias."""

    before: str
    """name of a model of the study that is fine-tuned without `augment`"""
    after: str
    """name of one that is fine-tuned with counterfactuals, and like it in all else"""
    control: str | None = None
    """name of one that is fine-tuned on as many repeated originals in their place; null for none"""
