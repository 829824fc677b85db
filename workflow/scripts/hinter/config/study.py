"""The configuration of a study, and what it takes from the default one."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field

from .method import Grammar, Invariant, Limit, Mutation, Primary, Sample, Suite
from .prompts import ProbeName
from .sheets import allows_text, check_sheet, parse_strings, schema_of
from .targets import Ablation, Assessment, Gate, Judge, Mitigation, Relations
from .types import (
    Attribute,
    Count,
    CsvPath,
    Distinct,
    FilePath,
    Number,
    Shards,
    Sheet,
    StudyFolder,
    Whole,
)

MODELS_SHEET = "config/models.yaml"


class Config(Sheet):
    """The configuration of a study."""

    seed: Whole
    """the seed of everything that is random"""
    datasets_sheet: FilePath = "config/datasets.yaml"
    """path of the sheet that describes the datasets"""
    models_sheet: FilePath = MODELS_SHEET
    """path of the sheet that describes the models"""
    prices_sheet: FilePath = "config/prices.yaml"
    """path of the sheet with the prices of models behind endpoints"""
    occurrences_sheet: FilePath = "config/occurrences.yaml"
    """path of the sheet with the words that the rules of mutation.occurrences use"""
    budget_usd: Number | None = None
    """US dollars that models behind endpoints may cost, including the cost of answers that are in
    the store already; checked before every call; null is no limit"""
    repeats: int = Field(default=1, ge=1, le=1000)
    """how often models behind endpoints are asked about each original, and about each case that is
    examined; above 1, changes among the answers are reported as their noise floor, and hidden bias
    is confirmed if it recurs each time"""
    outcome_statuses: Distinct[Literal["none", "refused", "unparsed"]] = Field(default=[])
    """which answers without a label count as outcomes of their own, so that a change to or from
    them is bias"""
    hidden_lookup: Literal["pairs", "attributes"] = "pairs"
    """which verdicts decide hidden bias: those of sub-mutants with the same pairs (the paper's)
    or with any pairs of their attributes (the authors' code)"""
    datasets: Distinct[str]
    """names of datasets in the datasets sheet; an empty list if there are only probes or
    relations"""
    probes: Distinct[ProbeName] = Field(default=[])
    """probes that the models are asked: each has its sheet config/probes/{probe}.yaml"""
    judge: Judge | None = None
    """the model that says which label an answer in words to a probe means; null uses exact
    parsing instead"""
    models: Distinct[str] = Field(min_length=1)
    """names of models in the models sheet"""
    attributes: Distinct[Attribute] = Field(min_length=1)
    """sensitive attributes; each has a curation file config/dictionary/{attribute}.yaml, or its
    pairs in the file `pairs`"""
    own_groups: Distinct[FilePath] = Field(default=[])
    """paths of sheets of yours with groups, which are added to those of the project: of an
    attribute that it has, or of a new one; name it in `attributes`"""
    merged: Distinct[Attribute] = Field(default=[])
    """further attributes whose terms count as those of another, as their curation files say
    (`counts_as`): the paper counts occupations as gender"""
    pairs: CsvPath | None = None
    """path of a CSV file with word pairs of yours, which replace those of the curation files;
    null for none"""
    orders: Distinct[Annotated[int, Field(ge=1, le=4)]] = Field(min_length=1)
    """how many attributes a mutant changes together (1 is atomic); all mutants of these orders are
    listed"""
    sample: Sample = Field(default_factory=Sample)
    """orders with too many mutants to list; all are counted, and some are sampled"""
    shards: Shards = 2
    """number of jobs that the texts of a dataset are divided into for generation; results do
    not depend on it"""
    folder: StudyFolder = "."
    """folder of the study, for its results/, figures/, report.html, provenance.html and
    ro-crate-metadata.json; files that the study no longer makes are removed from it"""
    resources: FilePath = "resources"
    """folder of fetched models, data and programs, shared by all studies"""
    store: FilePath = "store"
    """folder of what is kept between runs (checks of sentences, answers of models)"""
    sbic: FilePath | None = None
    """where SBIC's aggregated CSV files are, to count the posts of its groups again: a folder with
    those of one or more splits, or the resource sbic_v2, which has all three; null uses the counts
    in data/sbic/group_posts.csv, made from the development and the test split"""
    mutation: Mutation = Field(default_factory=Mutation)
    """how mutants are made"""
    invariant: Invariant = Field(default_factory=Invariant)
    """how mutants are checked"""
    suite: Suite = Field(default_factory=Suite)
    """which valid mutants the models are run on"""
    limits: list[Limit] = Field(default=[])
    """parts of the suites, for models that would cost too much on the whole; models are compared on
    the part that both were run on"""
    controls: bool = True
    """whether the mutants of the suite have controls, in which neutral pairs of
    config/dictionary/control.yaml replace one or all of their pairs; they distinguish bias from
    the effect of any edit (the paper has none)"""
    primary: Primary = Field(default_factory=Primary)
    """the primary comparison, named before the run: the excess of all mutants of an order over
    their controls; the report marks it and calls all other comparisons exploratory"""
    grammar: Grammar = Field(default_factory=Grammar)
    """how LanguageTool scores the grammar of originals, valid and discarded mutants (RQ2)"""
    ablation: Ablation = Field(default_factory=Ablation)
    """how the target `ablation` measures, setting by setting, why this study's numbers differ from
    the paper's"""
    assessment: Assessment = Field(default_factory=Assessment)
    """which mutants people annotate, and their answers (`assessment_form`, `assess`)"""
    relations: Relations = Field(default_factory=Relations)
    """the prompts that metamorphic relations rewrite (`relations`)"""
    gate: Gate | None = None
    """the model that the target `gate` compares with another one, and lets pass or fail; null for
    none"""
    mitigation: Mitigation | None = None
    """the models that the table `mitigation` compares; null for none"""
    compared: dict[str, StudyFolder] | None = None
    """folders of finished studies that the table `methods` compares with this one, by a name for
    each; null for none"""
    case_answers: int = Field(default=100, ge=0, le=100000)
    """the maximum number of answers of each model on each dataset that is spent on examining cases:
    hidden ones and a sample of all biased mutants are narrowed to the edits that suffice to change
    the outcome and, with `repeats`, asked about again; 0 examines none"""
    hidden_cases: Count = 10
    """how many hidden cases Table 1 shows"""
    text: str | None = None
    """the text that the target `try` tries; null for none"""
    file: FilePath | None = None
    """path of a file with one text per line for the target `try`, or - for standard input; null for
    none"""
    model: str | None = None
    """the model of the study that the target `try` asks; null is the first that can be asked. For
    the target `init`, the model to test: its name in the models sheet, its folder,
    MODULE:FUNCTION, or ADDRESS#MODEL of an endpoint"""
    texts: FilePath | None = None
    """path of the file of texts for which the target `init` writes a study; null for none"""


def read_config(document: Mapping[str, Any], *, typed: Mapping[str, str] | None = None) -> Config:
    """Return the configuration of a study; some values may be strings from a command line.

    `typed` has values as they were typed there. Text is taken from these, as YAML may have changed
    it in the document. Raises `InputError` if the document does not fit.
    """
    schema = schema_of(Config)
    texts = {key: value for key, value in (typed or {}).items() if allows_text(schema, key)}
    meant = parse_strings({**document, **texts}, schema=schema)
    return check_sheet(meant, Config, where="configuration")


MOST = 6
"""Longer lists are shown by their number of values."""


def inherited_settings(default: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings of `default` that are not in `own`, in short, by key.

    A dot in a key separates levels. A study that sets nothing is the default one itself, and
    inherits nothing.
    """
    return dict(_left(default, own)) if own else {}


def _left(default: Mapping[str, Any], own: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in default.items():
        given = own.get(key)
        if key not in own:
            inner = _left(value, {}) if isinstance(value, Mapping) else [("", _in_short(value))]
        elif isinstance(value, Mapping) and isinstance(given, Mapping):
            inner = _left(value, given)
        else:
            continue
        yield from ((".".join(filter(None, [key, name])), said) for name, said in inner)


def _in_short(value: Any) -> str:
    if isinstance(value, list) and len(value) > MOST:
        return f"{len(value)} values"
    said = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return said.removesuffix("\n...\n").strip()
