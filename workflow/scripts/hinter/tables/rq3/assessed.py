"""Sentences on the assessed mutants: how they were sampled, and what they show."""

from collections.abc import Sequence

import pandas as pd

from ...assessments import AssessedMutant
from ...statistics import agreement_of
from ..shown import percent_intervals

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
    for question in ("grammar", "meaning", "sound"):
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
