"""The annotated mutants of data/validity: do their grammar and their meaning survive?"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa

from ..dictionary import WordPair
from ..invariant import Comparator, Invariant
from ..mutants import compare_mutants
from ..mutation import MENTION_RULES, RULES, Mutant

HALVES = ("development", "test")
"""Originals with which the rules of substitution were developed, and originals unseen by then."""
BLIND = "blind"
"""Originals that nobody had read before two blind annotators read mutants of the final rules."""
_KINDS = {
    "comparators": ("literal", HALVES),
    "coherent": ("coherent", ("test",)),
    "literal": ("coherent", ("test",)),
    "described": ("describe", ("test",)),
    "described_drafts": ("describe", ("test",)),
}
"""The kind of substitution on which a sample is evidence, and the halves of it that are.

Rules fit the development half with which they were written, so it is no evidence on other texts.
"""
_KNOWN_BY: Mapping[str, Collection[str]] = {"coherent": RULES, "describe": MENTION_RULES}
"""The present rules, by the kind of substitution whose mutants list the rules that reject them."""


ASKED = ("grammar", "meaning")
"""What is asked about every mutant."""
ASKED_OF_CASES = (*ASKED, "bias")
"""What is asked about a case."""


class Assessment(NamedTuple):
    """The annotation of a mutant: whether its grammar and its meaning survive.

    For a case, also whether the change of outcome is `bias`.
    """

    grammar: bool
    meaning: bool
    bias: bool | None = None

    @property
    def sound(self) -> bool:
        """Whether grammar and meaning survive."""
        return self.grammar and self.meaning


@dataclass(frozen=True)
class AssessedMutant:
    """An annotated mutant. Its original consists of the sentences that it changes, one per line.

    The `sample` is `comparators` (literal mutants of movie reviews, to compare the comparators),
    `literal`, `coherent` (by the 22 rules of that time), `drafts` (by an earlier, less strict
    version of these), `described` (by the 16 rules of mentions of that time) or `described_drafts`
    (by an earlier version of these). The strata of `comparators` are: valid by all comparators;
    valid by the tolerant one but not by all (border); discarded by the tolerant one, by its reason.
    Those of the others are valid or discarded by the tolerant one, with the order.

    It stands for `weight` mutants of its sample, dataset and stratum. The two `assessments` are
    independent annotations. `final` is their common answer, or that of a third annotation if they
    differ, or that of `people` instead. `rules` are those that leave one of its occurrences alone:
    of the 22 of coherent substitution or, for mutants that describe persons, of the rules of
    mentions. They are None if another mutant or none is made.
    """

    sample: str
    dataset: str
    half: str
    stratum: str
    weight: float
    mutant: Mutant
    pairs: tuple[WordPair, ...]
    rules: frozenset[str] | None
    assessments: tuple[Assessment, Assessment]
    final: Assessment
    people: int = 0

    @property
    def mutant_id(self) -> str:
        """Key of the mutant."""
        return self.mutant.mutant_id

    @property
    def about_operator(self) -> str | None:
        """The operator on whose mutants in other texts it is evidence, or None.

        Evidence on coherent mutants are those of the sample `coherent`, and those of `literal` that
        former rules rejected and present ones do not. Evidence on mutants that describe persons are
        all that the present rules accept.
        """
        kind, halves = _KINDS.get(self.sample, (None, HALVES))
        rules = _KNOWN_BY.get(kind or "")
        if self.half not in halves:
            return None
        if rules is None:
            return kind
        passes = self.rules is not None and self.rules.isdisjoint(rules)
        return kind if passes and (self.sample != "literal" or self.rules) else None


ASSESSED_SCHEMA = pa.schema(
    [
        ("sample", pa.string()),
        ("dataset", pa.string()),
        ("half", pa.string()),
        ("mutant_id", pa.string()),
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("stratum", pa.string()),
        ("weight", pa.float64()),
        ("grammar", pa.bool_()),
        ("meaning", pa.bool_()),
        ("sound", pa.bool_()),
        ("people", pa.int16()),
        ("about_operator", pa.string()),
        *((comparator.value, pa.string()) for comparator in Comparator),
    ]
)
OWN = ("sample", "dataset", "half", "mutant_id", "stratum", "weight", "people", "about_operator")
"""The columns that are fields of a mutant."""


def check_assessed(
    assessed: Sequence[AssessedMutant], *, invariants: Sequence[Invariant]
) -> pa.Table:
    """Return a row per annotated mutant: its sample, its annotation, and each comparator's check.

    `people` is the number of people who decided, or 0 if language models did. `about_operator` is
    the kind of substitution on which it is evidence for other texts. A check is `valid`,
    `unchecked` or the reason for discarding. Only the changed sentences are checked, with the same
    result as for the whole text, as all other sentences pass. `invariants` has one invariant per
    comparator.
    """
    rows = [
        {
            **{name: getattr(mutant, name) for name in OWN},
            "original_id": mutant.mutant.original_id,
            "order": len(mutant.pairs),
            **{name: getattr(mutant.final, name) for name in (*ASKED, "sound")},
        }
        for mutant in assessed
    ]
    said = compare_mutants([each.mutant for each in assessed], invariants=invariants)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return pa.table({**columns, **said}, schema=ASSESSED_SCHEMA)
