"""The precision and recall of the invariant's comparators on assessed mutants (RQ3)."""

from collections.abc import Sequence

import pandas as pd

from ...assessments import BLIND, AssessedMutant, assessed_about, read_assessed
from ...invariant import Comparator
from ...statistics import agreement_of, bootstrap_difference
from ..columns import number_columns, share_columns, with_bootstrap
from ..shown import in_percent, percent_intervals, shown
from ..table import Inputs, Table
from .sound import (
    NO_FILTER,
    PEOPLE,
    annotators_of,
    assessed_by_level,
    assessed_for,
    checked_by,
    sound_sums,
)

QUESTIONS = ("grammar", "meaning", "sound")
SAID_OF = {
    "valid": "valid by all comparators",
    "border": "valid by the tolerant comparator only",
    "pos": "discarded by all for their tags",
    "dep": "discarded by all for their labels",
    "valid_1": "valid atomic ones",
    "valid_2": "valid ones of two attributes",
    "discarded_1": "discarded atomic ones",
    "discarded_2": "discarded ones of two attributes",
}
"""The mutants of each stratum, in words."""


def describe_assessments(assessed: Sequence[AssessedMutant]) -> str:
    """Return how the mutants were sampled, how many are sound, and how well readings agree."""
    originals = {mutant.mutant.original_id for mutant in assessed}
    datasets = sorted({mutant.dataset for mutant in assessed})
    population = sum(mutant.weight for mutant in assessed)
    return (
        f"{len(assessed)} mutants of {len(originals)} originals were assessed; they were sampled "
        f"by stratum from {population:,.0f} mutants ({', '.join(datasets)}). Every assessment was "
        "made by a large language model that follows a written guideline, none by a person. Sound "
        "are "
        f"{_sound(assessed)}. Two blind assessments agree on {_agreements(assessed)}."
    )


def describe_people(assessed: pd.DataFrame) -> str:
    """Return how many of the mutants people have read, given rows of results/assessed.parquet."""
    originals = assessed["original_id"].nunique()
    several = int((assessed["people"] > 1).sum())
    return (
        f"{len(assessed)} mutants of {originals} originals were read by people, {several} of them "
        "by several; the majority decides each question (a tie counts as no). The assessments of "
        f"language models are not used. {int(assessed['sound'].sum())} of the mutants "
        "are sound."
    )


def describe_comparator_validity(rows: pd.DataFrame) -> str:
    """Return what the rows of `tabulate_comparator_validity` show over all levels of mutants."""
    total = rows[(rows["level"] == "all") & rows["valid_minus_discarded"].notna()]
    if total.empty:
        return "No comparator can be measured, as none has both valid and discarded mutants."
    differences = zip(
        total["comparator"],
        100 * total["valid_minus_discarded"],
        percent_intervals(total, "valid_minus_discarded"),
        strict=True,
    )
    listed = ", ".join(f"{name} {points:+.1f} {interval}" for name, points, interval in differences)
    return (
        "Share of sound mutants among the valid ones minus that among the discarded ones, in "
        f"percentage points: {listed}. If an interval contains 0, no difference is shown."
    )


def _sound(assessed: Sequence[AssessedMutant]) -> str:
    shares = []
    for stratum, said in SAID_OF.items():
        sampled = [item.final.sound for item in assessed if item.stratum == stratum]
        if sampled:
            shares.append(f"{100 * sum(sampled) / len(sampled):.0f} % of the {len(sampled)} {said}")
    return ", ".join(shares)


def _agreements(assessed: Sequence[AssessedMutant]) -> str:
    parts = []
    for question in QUESTIONS:
        answers = [
            [getattr(assessment, question) for assessment in mutant.assessments]
            for mutant in assessed
        ]
        agreement = agreement_of(*zip(*answers, strict=True))
        about = "both" if question == "sound" else f"the {question}"
        parts.append(
            f"{about} of {100 * agreement.share:.1f} % (Cohen's kappa {agreement.kappa:.2f})"
        )
    return ", on ".join(parts)


SHARES = {
    "precision": "precision %",
    "recall": "recall %",
    "sound_discarded": "sound of discarded %",
    "valid_minus_discarded": "valid - discarded",
    "grammar_precision": "grammar survives %",
    "meaning_precision": "meaning survives %",
}
"""The columns of shares with their titles."""

COLUMNS = {
    "level": "level of the mutants: all, intersectional or atomic",
    "comparator": "none, tolerant, strict or heads",
    "annotators": "who assessed the mutants: language models or people",
    "assessed": "assessed mutants that the comparator checks",
    "valid": "valid mutants of these; the shares are for the population that was sampled",
    **with_bootstrap("precision", "share of the valid mutants that are sound"),
    **with_bootstrap("recall", "share of the sound mutants that are valid"),
    **with_bootstrap("sound_discarded", "share of the discarded mutants that are sound"),
    **with_bootstrap("valid_minus_discarded", "precision - sound_discarded"),
    **with_bootstrap("grammar_precision", "share of the valid mutants whose grammar survives"),
    **with_bootstrap("meaning_precision", "share of the valid mutants whose meaning survives"),
}


def tabulate_comparator_validity(
    assessed: pd.DataFrame, *, operators: Sequence[str], seed: int
) -> pd.DataFrame:
    """Return a row per level of mutants and comparator, given results/assessed.parquet.

    The comparator `none` filters nothing, so its precision is the share of sound mutants. Mutants
    of the half `BLIND` are left out, as they were not checked by all comparators.
    """
    checked = assessed[assessed["half"] != BLIND].astype(dict.fromkeys(QUESTIONS, bool))
    sampled = assessed_for(checked, operators=operators)
    comparators = [NO_FILTER, *(comparator.value for comparator in Comparator)]
    rows = [
        {"level": level, "comparator": comparator, "annotators": annotators_of(sampled)}
        | _row(checked_by(of_level, comparator), seed=seed)
        for level, of_level in assessed_by_level(sampled).items()
        for comparator in comparators
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(checked: pd.DataFrame, *, seed: int) -> dict[str, float]:
    sums = sound_sums(checked, questions=QUESTIONS)
    sound = sums["valid_sound"] + sums["discarded_sound"]
    shares = {
        "precision": (sums["valid_sound"], sums["valid"]),
        "recall": (sums["valid_sound"], sound),
        "sound_discarded": (sums["discarded_sound"], sums["discarded"]),
        "grammar_precision": (sums["valid_grammar"], sums["valid"]),
        "meaning_precision": (sums["valid_meaning"], sums["valid"]),
    }
    row: dict[str, float] = {"assessed": len(checked), "valid": int(checked["valid"].sum())}
    for name, (parts, wholes) in shares.items():
        row |= share_columns(name, parts, wholes, seed=seed)
    valid, discarded = (
        (parts.tolist(), wholes.tolist())
        for parts, wholes in (shares["precision"], shares["sound_discarded"])
    )
    interval = bootstrap_difference(valid, discarded, seed=seed)
    difference = row["precision"] - row["sound_discarded"]
    return row | number_columns("valid_minus_discarded", difference, interval)


def _finding(rows: pd.DataFrame, given: Inputs) -> str:
    operators = given["operators"]
    sampled = assessed_for(given["assessed"], operators=operators)
    if annotators_of(sampled) == PEOPLE:
        sentence = describe_people(sampled)
    else:
        mutants = read_assessed(given["assessments"])
        sentence = describe_assessments(assessed_about(mutants, operators=operators))
    return f"{sentence} {describe_comparator_validity(rows)}"


TABLE = Table(
    title="Comparators against assessed mutants",
    reads=("assessed", "assessments"),
    only_if=("assessed mutants",),
    settings=("mutation.operators", "seed"),
    columns=COLUMNS,
    compute=lambda assessments, **given: tabulate_comparator_validity(**given),
    show=shown(
        *("level", "comparator", "assessed", "valid"),
        *(in_percent(name, title, ends="{}: by original") for name, title in SHARES.items()),
    ),
    finding=_finding,
    empty="Nothing to show: no mutants were assessed.",
    text="""\
How often comparators keep sound mutants, whose grammar and meaning survive. Precision: the sound
share of valid mutants; recall: the valid share of sound ones; last, the sound share of discarded
ones. The comparator none filters nothing. Weighted shares with 95 % cluster bootstraps by original.

The paper assumes that valid mutants are sound and discarded ones broken; this table shows how often
that is true. An invariant that separates them has a high precision and few sound mutants among the
discarded ones; if it does not, both are near the precision of the row *none*. The caption says who
read the mutants (docs/validity.md).
""",
)
