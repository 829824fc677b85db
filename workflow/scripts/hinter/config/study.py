"""The configuration of a study."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from .probes import ProbeName
from .reading import check_sheet
from .schemas import parse_strings, schema_of
from .types import (
    Address,
    Attribute,
    Confidence,
    Count,
    CsvPath,
    Distinct,
    FilePath,
    Number,
    Positive,
    Shards,
    Share,
    Sheet,
    StudyFolder,
    Whole,
    text,
)

DEFAULT_PARSER = "en_core_web_sm"
CATEGORIES = [
    "CASING",
    "COLLOCATIONS",
    "COMPOUNDING",
    "CONFUSED_WORDS",
    "GRAMMAR",
    "MISC",
    "MULTITOKEN_SPELLING",
    "NONSTANDARD_PHRASES",
    "PROPER_NOUNS",
    "PUNCTUATION",
    "SEMANTICS",
    "TYPOS",
]
LEFT_OUT = [
    "ENGLISH_WORD_REPEAT_BEGINNING_RULE",
    "EN_REPEATEDWORDS",
    "EN_UNPAIRED_BRACKETS",
    "EN_UNPAIRED_QUOTES",
    "EN_WORD_COHERENCY",
    "PUNCTUATION_PARAGRAPH_END",
    "REP_PASSIVE_VOICE",
    "REP_THANK_YOU_FOR",
    "SENTENCE_WHITESPACE",
    "TOO_LONG_SENTENCE",
    "UPPERCASE_SENTENCE_START",
    "WHITESPACE_RULE",
]

OccurrenceRule = Literal[
    "part_of_longer_term",
    "broken_word",
    "capitals",
    "part_of_name",
    "quoted_title",
    "defined_term",
    "paired_pronouns",
    "language",
    "country_named",
    "compound",
    "not_person",
    "address",
    "named_person",
    "kin_child",
    "bound_by_context",
    "attribute_told",
    "coordinated",
    "gender_told",
    "anybody",
    "pointing_back",
    "other_number",
    "plural_possessive",
]

Metric = Annotated[str, text("^[a-z]+$", name="metric", about="a name of lower-case letters")]
RuleName = Annotated[str, Field(pattern=r"^[\w.-]+$", description="a name without spaces")]


class Sample(Sheet):
    """Orders of which mutants are drawn."""

    orders: Distinct[Annotated[int, Field(ge=2, le=4)]] = Field(default=[])
    """the orders, above those that are listed"""
    mutants: int = Field(default=10000, ge=1, le=100000)
    """how many mutants of each order and dataset are drawn, from the valid ones (from valid and
    discarded ones together, where those are run)"""


class Parser(Sheet):
    """The pipeline that tags and parses."""

    folder: FilePath | None = None
    """the folder of a pipeline of yours"""
    resource: str | None = Field(default=None, validate_default=True)
    """its name in data/registry.yaml; en_core_web_sm where no folder is given"""
    batch_size: Count = 128
    """sentences in a batch"""
    device: Literal["cpu", "cuda", "auto"] = "cpu"
    """where it runs; auto is CUDA where there is a device"""

    @field_validator("resource")
    @classmethod
    def _default_resource(cls, resource: str | None, info: ValidationInfo) -> str | None:
        return resource or (None if info.data.get("folder") else DEFAULT_PARSER)


class Invariant(Sheet):
    """How mutants are checked."""

    comparator: Literal["tolerant", "strict", "heads"] = "tolerant"
    """tolerant (the paper's), strict (tokens may be inserted only inside what was replaced) or
    heads (strict, and the arcs of the dependency trees agree)"""
    max_sentence_chars: Count | None = 10000
    """mutants with a longer changed sentence are neither valid nor discarded but unchecked,
    which bounds the memory for texts without sentence ends (the paper's code has 500); null is
    no limit"""
    tags: Literal["penn", "upos"] = "penn"
    """the tags that are compared: those of the Penn Treebank (the paper's) or the coarser Universal
    parts of speech (the authors' code)"""
    capitals: Literal["kept", "first", "first_only"] = "kept"
    """with which capitals sentences are parsed: as written, with the first letter made a capital,
    or with the first character a capital and all other letters small (the authors' code has the
    last two)"""
    tail: Literal["checked", "passed"] = "checked"
    """what becomes of changes after the last sentence end of a text: they are checked like others,
    or pass (the authors' code)"""
    parser: Parser = Field(default_factory=Parser)
    """the spaCy pipeline that tags and parses"""


class Mutation(Sheet):
    """How terms are substituted."""

    substitution: Literal["literal", "coherent"] = "literal"
    """literal (the paper's: a term is replaced, and nothing else changes) or coherent (articles
    agree, the pronouns of a person change with the noun, pronouns change in all their forms
    together, and what is in doubt is left alone)"""
    occurrences: Distinct[OccurrenceRule] = Field(default=[])
    """rules that leave alone occurrences which stand for something else, in the order in which
    they are asked; what each leaves alone is counted"""


class Suite(Sheet):
    """Which mutants are tested."""

    originals: Count | None = None
    """how many originals with a valid intersectional mutant are tested; null is all"""
    pairs_per_attribute: Count | None = None
    """how many pairs of each attribute are drawn in an original; every valid mutant made of them is
    tested; null is all pairs"""
    discarded: bool = False
    """whether discarded mutants are drawn and tested like valid ones, to see how well the
    invariant works"""


class Limit(Sheet):
    """A part of the suites that some models are run on, the same part for all of them."""

    models: Distinct[str] = Field(min_length=1)
    """names of models in the models sheet; a model may be in several limits, each for other
    datasets"""
    datasets: Distinct[str] | None = Field(default=None, min_length=1)
    """names of datasets in the datasets sheet; null is all"""
    originals: Count | None = None
    """how many originals of a suite, at most, the models are run on, the first in its seeded order;
    null is all"""
    pairs_per_attribute: Count | None = None
    """how many pairs of each attribute, at most, an original has, as in `suite`; null is all"""
    tests: Count | None = None
    """how many valid mutants of a suite, at most, the models are run on (controls not counted), of
    as many whole originals as fit; null is all"""
    held_out: Count | None = None
    """on how many held-out texts the accuracy of the models is measured; null is all"""


class Grammar(Sheet):
    """How grammar is scored."""

    enabled: bool = True
    """whether grammar is scored; false leaves out RQ2 and Figure 8"""
    server: Address | None = None
    """address of a running LanguageTool, such as http://localhost:8081, without a user or a
    password; null starts one in each job"""
    categories: Distinct[RuleName] = Field(default=CATEGORIES, min_length=1)
    """LanguageTool's categories of rules that count; those of style, redundancy, repetition and
    typography do not"""
    left_out: Distinct[RuleName] = LEFT_OUT
    """names of rules that are not applied: by default all active ones that look beyond a sentence,
    since texts are checked by units that hold little more"""
    originals: Count | None = None
    """from how many originals of a dataset mutants are drawn, evenly over orders and combinations
    of attributes; null is all of the suite"""
    valid: Count | None = None
    """how many valid mutants of a dataset are drawn, as evenly; null is all"""
    discarded: Count | None = None
    """how many discarded mutants of a dataset are drawn, as evenly; null is all"""
    margin: Positive = 1
    """the difference of scores, in points, up to which mutants and originals are called equivalent;
    1 is one match more among 100 tokens"""
    shards: Shards = 1
    """number of jobs that a dataset's texts are divided into; scores do not depend on it"""


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


class Config(Sheet):
    """The configuration of a study."""

    seed: Whole
    """the one seed of everything drawn at random"""
    datasets_sheet: FilePath = "config/datasets.yaml"
    """path of the sheet that describes the datasets"""
    models_sheet: FilePath = "config/models.yaml"
    """path of the sheet that describes the models"""
    prices_sheet: FilePath = "config/prices.yaml"
    """path of the sheet with the prices of models behind endpoints"""
    occurrences_sheet: FilePath = "config/occurrences.yaml"
    """path of the sheet with the words that the rules of mutation.occurrences use"""
    budget_usd: Number | None = None
    """US dollars that models behind endpoints may cost, including what the store has spent
    before; checked before every call; null is no limit"""
    repeats: int = Field(default=1, ge=1, le=1000)
    """how often models behind endpoints are asked about each original, and about each case that is
    examined; above 1, changes among the answers are reported as their noise floor, and hidden bias
    is confirmed where it holds each time"""
    outcome_statuses: Distinct[Literal["none", "refused", "unparsed"]] = Field(default=[])
    """which answers without a label count as outcomes of their own, so that a change to or from
    them is bias"""
    hidden_lookup: Literal["pairs", "attributes"] = "pairs"
    """whose verdicts decide hidden bias: those of the sub-mutants of the same pairs (the paper's)
    or of any pairs of their attributes (the authors' code)"""
    datasets: Distinct[str]
    """names of datasets in the datasets sheet; an empty list where there are probes or relations
    alone"""
    probes: Distinct[ProbeName] = Field(default=[])
    """probes that the models are asked: each has its sheet config/probes/{probe}.yaml"""
    judge: Judge | None = None
    """the model that says which label an answer in words to a probe means, in the place of exact
    parsing; null parses"""
    models: Distinct[str] = Field(min_length=1)
    """names of models in the models sheet"""
    attributes: Distinct[Attribute] = Field(min_length=1)
    """sensitive attributes; each has a curation file config/dictionary/{attribute}.yaml, or its
    pairs in the file `pairs`"""
    pairs: CsvPath | None = None
    """path of a CSV file with word pairs of yours, in the place of those of the curation files;
    null for none"""
    orders: Distinct[Annotated[int, Field(ge=1, le=4)]] = Field(min_length=1)
    """how many attributes a mutant changes together (1 is atomic); all mutants of these orders are
    listed"""
    sample: Sample = Field(default_factory=Sample)
    """orders with too many mutants to list; all are counted, and some are drawn"""
    shards: Shards = 2
    """number of jobs that the texts of a dataset are divided into for generation; results do
    not depend on it"""
    folder: StudyFolder = "."
    """folder of the study, for its results/, figures/, report.html, provenance.html and
    ro-crate-metadata.json; files that the study no longer makes are removed from it"""
    resources: FilePath = "resources"
    """folder of fetched models, data and programs, shared by all studies"""
    store: FilePath = "store"
    """folder of what is kept from run to run (checks on sentences, answers of models)"""
    sbic: FilePath | None = None
    """where SBIC's aggregated CSV files are, to count the posts of its groups again: a folder with
    those of one split or more, or the resource sbic_v2, which has all three; null uses the counts
    in data/sbic/group_posts.csv, made of the development and the test split"""
    mutation: Mutation = Field(default_factory=Mutation)
    """how terms are substituted"""
    invariant: Invariant = Field(default_factory=Invariant)
    """how mutants are checked"""
    suite: Suite = Field(default_factory=Suite)
    """which valid mutants the models are run on"""
    limits: list[Limit] = Field(default=[])
    """parts of the suites for models that cost too much for the whole; models are compared on the
    part that both were run on"""
    controls: bool = True
    """whether the mutants of the suite have controls: harmless edits by the neutral pairs of
    config/dictionary/control.yaml, over which bias is told from chance (the paper has none)"""
    grammar: Grammar = Field(default_factory=Grammar)
    """how grammatical originals, valid and discarded mutants are, by LanguageTool (RQ2)"""
    ladder: Ladder = Field(default_factory=Ladder)
    """how the target `ladder` measures, switch by switch, what separates this study from the
    paper's numbers"""
    assessment: Assessment = Field(default_factory=Assessment)
    """which mutants people read, and what they answered (`assessment_form`, `assess`)"""
    relations: Relations = Field(default_factory=Relations)
    """the prompts that metamorphic relations rewrite (`relations`)"""
    gate: Gate | None = None
    """the model that the target `gate` lets pass or fail beside another one; null for none"""
    mitigation: Mitigation | None = None
    """the models that the table `mitigation` compares; null for none"""
    compared: dict[str, StudyFolder] | None = None
    """finished studies to put beside this one in the table `methods`, by a name for each: their
    folders; null for none"""
    case_answers: int = Field(default=100, ge=0, le=100000)
    """how many answers of each model and dataset, at most, are spent on examining cases: hidden
    ones and a sample of all biased mutants are narrowed to the places that suffice to change the
    outcome and, with `repeats`, asked about again; 0 examines none"""
    hidden_cases: Count = 10
    """how many hidden cases Table 1 shows"""
    text: str | None = None
    """the text that the target `try` tries; null for none"""
    file: FilePath | None = None
    """path of a file with one text per line for the target `try`; null for none"""
    model: str | None = None
    """the model of the study that the target `try` asks; null is the first that it can ask"""


def read_config(document: Mapping[str, Any]) -> Config:
    """Return the configuration of a study; some of its values may be strings of a command line.

    Raises `InputError` where it does not fit.
    """
    meant = parse_strings(document, schema=schema_of(Config))
    return check_sheet(meant, Config, where="configuration")
