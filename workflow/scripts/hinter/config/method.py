"""The settings of the method: how mutants are made, checked, sampled and scored for grammar."""

from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from ..operators import OPERATORS
from ..yaml_files import data_of
from .types import Address, Count, Distinct, FilePath, Positive, Shards, Sheet, fault

DEFAULT_PARSER = "en_core_web_sm"
OccurrenceRule = Literal[
    "part_of_longer_term",
    "broken_word",
    "defined_term",
    "language",
    "country_named",
    "compound",
    "address",
    "gender_told",
    "other_number",
]
MentionRule = Literal[
    "capitals",
    "part_of_name",
    "quoted",
    "part_of_expression",
    "named_person",
    "undetermined",
    "general",
    "becoming",
    "timeless",
    "whole_group",
    "singled_out",
    "coordinated_person",
    "legal_person",
    "told_of_person",
]


def _check_operator(name: str) -> str:
    if name not in OPERATORS:
        raise fault(found=repr(name))
    return name


OperatorName = Annotated[
    str, AfterValidator(_check_operator), Field(json_schema_extra={"enum": [*OPERATORS]})
]

_GRAMMAR = data_of(__file__)
RuleName = Annotated[str, Field(pattern=r"^[\w.-]+$", description="a name without spaces")]


class Sample(Sheet):
    """Orders of which mutants are sampled."""

    orders: Distinct[Annotated[int, Field(ge=2, le=4)]] = Field(default=[])
    """the orders, above those that are listed"""
    mutants: int = Field(default=10000, ge=1, le=100000)
    """how many mutants of each order and dataset are sampled, from the valid ones (or from the
    valid and the discarded ones together, if discarded ones are run)"""


class Parser(Sheet):
    """The spaCy pipeline that tags and parses."""

    folder: FilePath | None = None
    """the folder of a pipeline of yours"""
    resource: str | None = Field(default=None, validate_default=True)
    """its name in data/registry.yaml; en_core_web_sm if no folder is given"""
    batch_size: Count = 128
    """sentences in a batch"""
    device: Literal["cpu", "cuda", "auto"] = "cpu"
    """where it runs; auto is CUDA if there is a device"""

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
    """mutants with a longer changed sentence are unchecked: neither valid nor discarded; this
    bounds the memory for texts without sentence ends (the paper's code has 500); null is no
    limit"""
    tags: Literal["penn", "upos"] = "penn"
    """the tags that are compared: those of the Penn Treebank (the paper's) or the coarser Universal
    parts of speech (the authors' code)"""
    capitals: Literal["kept", "first", "first_only"] = "kept"
    """how sentences are capitalised before parsing: as written, with the first letter in upper
    case, or with the first character in upper and all others in lower case (the authors' code has
    the last two)"""
    tail: Literal["checked", "passed"] = "checked"
    """how changes after the last sentence end of a text are treated: they are checked like others,
    or pass (the authors' code)"""
    parser: Parser = Field(default_factory=Parser)
    """the spaCy pipeline that tags and parses"""


class Mutation(Sheet):
    """How mutants are made."""

    operators: Distinct[OperatorName] = Field(default=["literal"], min_length=1)
    """ways to make mutants, each of which makes its own: literal (the paper's: a term is replaced,
    and nothing else changes), coherent (articles agree, the pronouns of a person change with the
    noun, pronouns change in all their forms together, and doubtful occurrences are left alone) or
    describe (one person whom the text mentions is described: the deaf Korean doctor)"""
    occurrences: Distinct[OccurrenceRule] = Field(default=[*get_args(OccurrenceRule)])
    """rules that leave alone occurrences with another meaning, in the order in which they are
    applied; the occurrences that each leaves alone are counted (the paper has no rules)"""
    mentions: Distinct[MentionRule] = Field(default=[*get_args(MentionRule)])
    """rules that leave alone persons who cannot be described, in the order in which they are
    applied; without `general`, persons in general statements are described, too"""
    descriptors: Count | None = None
    """how many descriptors of each attribute are sampled for a mentioned person; null is all"""


class Suite(Sheet):
    """Which mutants are tested."""

    originals: Count | None = None
    """how many originals with a valid intersectional mutant are tested; null is all"""
    pairs_per_attribute: Count | None = None
    """how many pairs of each attribute are sampled in an original; every valid mutant made of them
    is tested; null is all pairs"""
    discarded: bool = False
    """whether discarded mutants are sampled and tested like valid ones, to measure how well the
    invariant works"""


class Primary(Sheet):
    """The one comparison that a study is made for."""

    measure: Literal["bias", "hidden bias"] = "hidden bias"
    """the rate that is compared with that of controls"""
    order: int = Field(default=2, ge=1, le=4)
    """how many attributes its mutants change"""

    @model_validator(mode="after")
    def _check_measure(self) -> Self:
        if self.order == 1 and self.measure == "hidden bias":
            raise fault(key="measure", found="hidden bias of order 1", expected="bias, or order 2")
        return self


class Limit(Sheet):
    """A part of the suites that some models are run on, the same part for all of them."""

    models: Distinct[str] = Field(min_length=1)
    """names of models in the models sheet; a model may be in several limits, for different
    datasets"""
    datasets: Distinct[str] | None = Field(default=None, min_length=1)
    """names of datasets in the datasets sheet; null is all"""
    originals: Count | None = None
    """the maximum number of originals of a suite that the models are run on, the first in its
    seeded order; null is all"""
    pairs_per_attribute: Count | None = None
    """the maximum number of pairs of each attribute in an original, as in `suite`; null is all"""
    combinations: Count | None = None
    """from how many combinations of attributes mutants are taken in an original, sampled among
    those of its highest order, with their sub-mutants; with 1, the same number of texts comes from
    more originals, which makes intervals narrower; null is all"""
    tests: Count | None = None
    """the maximum number of valid mutants of a suite that the models are run on (without controls),
    from as many whole originals as fit; null is all"""
    held_out: Count | None = None
    """on how many held-out texts the accuracy of the models is measured; null is all"""


class Grammar(Sheet):
    """How grammar is scored."""

    enabled: bool = True
    """whether grammar is scored; false leaves out RQ2 and Figure 8"""
    server: Address | None = None
    """address of a running LanguageTool, such as http://localhost:8081, without a user or a
    password; null starts one in each job"""
    categories: Distinct[RuleName] = Field(default=_GRAMMAR["categories"], min_length=1)
    """LanguageTool's categories of rules that count; those of style, redundancy, repetition and
    typography do not"""
    left_out: Distinct[RuleName] = _GRAMMAR["left_out"]
    """names of rules that are not applied: by default all active ones that look beyond a sentence,
    since texts are checked in units of little more than one"""
    originals: Count | None = None
    """from how many originals of a dataset mutants are sampled, evenly over orders and combinations
    of attributes; null is all of the suite"""
    valid: Count | None = None
    """how many valid mutants of a dataset are sampled, as evenly; null is all"""
    discarded: Count | None = None
    """how many discarded mutants of a dataset are sampled, as evenly; null is all"""
    margin: Positive = 0.1
    """by how many matches per text, on average, mutants and originals may differ and still be
    equivalent; 0.1 is one match more in every tenth text"""
    shards: Shards = 1
    """number of jobs that a dataset's texts are divided into; scores do not depend on it"""
