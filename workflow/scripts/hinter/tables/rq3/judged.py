"""What the judged mutants are and show, in words."""

from collections.abc import Sequence

import pandas as pd

from ...validity import STRATA, Judgment
from ..writing import percent_intervals
from .agreement import agreement_of

SAID_OF = dict(
    zip(
        STRATA,
        (
            "valid by all comparators",
            "valid by the tolerant comparator only",
            "discarded by all for their tags",
            "discarded by all for their labels",
        ),
        strict=True,
    )
)


def describe_judgments(judgments: Sequence[Judgment]) -> str:
    """Return how the mutants were drawn and judged, how many survive, and how readings agree."""
    originals = {judgment.original_id for judgment in judgments}
    population = sum(judgment.weight for judgment in judgments)
    return (
        f"Judged are {len(judgments)} mutants of {len(originals)} originals, drawn by stratum from "
        f"{population:,.0f} mutants of movie reviews. All readings are those of a large language "
        "model that follows a written guideline; none is a person's. Those survive: "
        f"{_survivors(judgments)}. Two blind readings agree on {_agreements(judgments)}."
    )


def describe_comparator_validity(rows: pd.DataFrame) -> str:
    """Return what the rows of `tabulate_comparator_validity` show over all kinds of mutants."""
    total = rows[(rows["kind"] == "all") & rows["valid_minus_discarded"].notna()]
    if total.empty:
        return "No comparator has both valid and discarded mutants among them, so none is told."
    differences = zip(
        total["comparator"],
        100 * total["valid_minus_discarded"],
        percent_intervals(total, "valid_minus_discarded"),
        strict=True,
    )
    listed = ", ".join(f"{name} {points:+.1f} {interval}" for name, points, interval in differences)
    return (
        "By so many percentage points do more of the valid mutants survive than of the discarded "
        f"ones: {listed}. An interval that holds 0 does not tell the two apart."
    )


def _survivors(judgments: Sequence[Judgment]) -> str:
    shares = []
    for stratum, said in SAID_OF.items():
        drawn = [item.final.survives for item in judgments if item.stratum == stratum]
        if drawn:
            shares.append(f"{100 * sum(drawn) / len(drawn):.0f} % of the {len(drawn)} {said}")
    return ", ".join(shares)


def _agreements(judgments: Sequence[Judgment]) -> str:
    told = []
    for question in ("grammar", "meaning", "survives"):
        answers = [
            [getattr(reading, question) for reading in judgment.readings] for judgment in judgments
        ]
        agreement = agreement_of(*zip(*answers, strict=True))
        about = "both" if question == "survives" else f"the {question}"
        told.append(
            f"{about} of {100 * agreement.share:.1f} % (Cohen's kappa {agreement.kappa:.2f})"
        )
    return ", on ".join(told)
