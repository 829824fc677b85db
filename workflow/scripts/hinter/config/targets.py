"""The settings of targets and tables beyond the default ones."""

from typing import Annotated, ClassVar

from pydantic import Field

from .types import Confidence, Count, CsvPath, Distinct, FilePath, Share, Sheet, StudyFolder, text

Metric = Annotated[str, text("^[a-z]+$", name="metric", about="a name of lower-case letters")]


class Ablation(Sheet):
    """How the target `ablation` goes from this study to the code of the paper's authors."""

    originals: Count = 200
    """how many of the tested texts of each dataset are used"""
    pairs: CsvPath | None = None
    """path of a CSV file with the authors' word pairs, in the format of `pairs`; null leaves out
    the variant with these pairs"""
    models: Distinct[str] | None = None
    """names of the study's models that are run on every variant, none of them behind an endpoint;
    null is its encoders"""


class Rater(Sheet):
    """A classifier of answers."""

    model: str
    """name of an encoder in the models sheet"""
    dataset: str
    """name of the dataset in the datasets sheet whose labels it assigns, and on which it is
    fine-tuned if its entry says how"""


class Relations(Sheet):
    """Prompts that are rewritten by metamorphic relations, and the classifiers of their answers."""

    multi_label: ClassVar = False
    """Whether an answer may have several labels: it has none."""

    prompts: FilePath = "config/relations/prompts.yaml"
    """path of the sheet with their templates, attributes and values"""
    sources: Count = 24
    """how many sources are sampled, evenly over templates, from all prompts of the sheet"""
    prompt: FilePath = "config/relations/answer.yaml"
    """path of the prompt file with which models are asked"""
    raters: dict[Metric, Rater] = Field(default={})
    """a classifier of answers for each metric, such as sentiment and tone; if there is none, no
    model is asked, and the target `relations` only rewrites prompts"""

    def names(self) -> list[str]:
        """Return the labels, as a dataset does: answers are in the model's own words."""
        return []


class Judge(Sheet):
    """A model that labels answers in words."""

    model: str
    """name of a model in the models sheet that answers in words"""
    prompt: FilePath = "config/prompts/judge.yaml"
    """path of the prompt file with which it is asked"""


class Assessment(Sheet):
    """Mutants that people annotate."""

    assessed: bool = True
    """whether the invariant is checked on the mutants that were assessed for this project, so that
    tables report how many mutants are sound sentences; if not, only if there are `answers` or
    `compared` studies"""
    mutants: Count = 60
    """how many valid mutants of the suites the form has, evenly over datasets, orders and
    originals"""
    answers: Distinct[CsvPath] = Field(default=[])
    """paths of the forms that people filled in, one per annotator and named after them"""


class Gate(Sheet):
    """A model that may replace another one."""

    candidate: str
    """name of the model that passes or fails: one of the study's"""
    baseline: str
    """name of the model that it is compared with: one of this study, or of the study in
    `baseline_folder`"""
    baseline_folder: StudyFolder | None = None
    """folder of another study of the same suite with results of the baseline; null runs the
    baseline in this study"""
    threshold: Share = 0.02
    """how much larger the candidate's excess bias, as a share of mutants, may be than the
    baseline's"""
    confidence: Confidence = 0.95
    """confidence level of the two-sided intervals whose ends decide"""


class Mitigation(Sheet):
    """Models that show whether training on counterfactuals removes bias."""

    before: str
    """name of a model of the study that is fine-tuned without `augment`"""
    after: str
    """name of one that is fine-tuned with counterfactuals, and equal in everything else"""
    control: str | None = None
    """name of one that is fine-tuned with as many repeated originals instead; null for none"""
