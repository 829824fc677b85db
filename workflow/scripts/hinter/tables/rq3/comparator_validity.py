"""What the comparators of the invariant are worth, measured against judged mutants (RQ3)."""

from typing import Any

import pandas as pd

from ...invariant import Comparator
from ...statistics import bootstrap_difference
from ...validity import read_judgments
from ..columns import with_bootstrap
from ..table import Given, Table
from ..writing import percent, percent_intervals
from .judged import describe_comparator_validity, describe_judgments
from .survivors import NO_FILTER, checked_by, judged_by_kind, survivor_sums, weighted_share

SHARES = {
    "precision": "precision %",
    "recall": "recall %",
    "survivors_discarded": "survivors of discarded %",
    "valid_minus_discarded": "valid - discarded",
    "grammar_precision": "grammar survives %",
    "meaning_precision": "meaning survives %",
}
"""The columns of shares with the titles under which they are read."""

COLUMNS = {
    "kind": "kind of mutant: all, intersectional or atomic",
    "comparator": "none, tolerant, strict or heads",
    "judged": "judged mutants that the comparator does not leave unchecked",
    "valid": "valid ones of these; all that follows is of the population they were drawn from",
    **with_bootstrap("precision", "share of the valid mutants that survives"),
    **with_bootstrap("recall", "share of the surviving mutants that is valid"),
    **with_bootstrap("survivors_discarded", "share of the discarded mutants that survives"),
    **with_bootstrap("valid_minus_discarded", "precision - survivors_discarded"),
    **with_bootstrap("grammar_precision", "share of the valid mutants whose grammar survives"),
    **with_bootstrap("meaning_precision", "share of the valid mutants whose meaning survives"),
}


def tabulate_comparator_validity(validity: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return a row per kind of mutant and comparator, given results/validity.parquet.

    The comparator `none` is no filter at all, so that its precision is the share of surviving
    mutants.
    """
    comparators = [NO_FILTER, *(comparator.value for comparator in Comparator)]
    rows = [
        {"kind": kind, "comparator": comparator} | _row(checked_by(of_kind, comparator), seed=seed)
        for kind, of_kind in judged_by_kind(validity).items()
        for comparator in comparators
    ]
    return pd.DataFrame(rows)


def show_comparator_validity(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages with intervals by original."""
    shown: dict[str, Any] = {name: rows[name] for name in ("kind", "comparator", "judged", "valid")}
    for name, title in SHARES.items():
        shown[title] = rows[name].map(percent)
        shown[f"{title}: by original"] = percent_intervals(rows, name)
    return pd.DataFrame(shown)


def _row(checked: pd.DataFrame, *, seed: int) -> dict[str, float]:
    sums = survivor_sums(checked)
    survivors = sums["valid_survives"] + sums["discarded_survives"]
    shares = {
        "precision": (sums["valid_survives"], sums["valid"]),
        "recall": (sums["valid_survives"], survivors),
        "survivors_discarded": (sums["discarded_survives"], sums["discarded"]),
        "grammar_precision": (sums["valid_grammar"], sums["valid"]),
        "meaning_precision": (sums["valid_meaning"], sums["valid"]),
    }
    row: dict[str, float] = {"judged": len(checked), "valid": int(checked["valid"].sum())}
    for name, (parts, wholes) in shares.items():
        row |= weighted_share(name, parts, wholes, seed=seed)
        if name == "survivors_discarded":
            row |= _difference(sums, row, seed=seed)
    return row


def _difference(sums: pd.DataFrame, row: dict[str, float], *, seed: int) -> dict[str, float]:
    low, high = bootstrap_difference(
        (sums["valid_survives"].tolist(), sums["valid"].tolist()),
        (sums["discarded_survives"].tolist(), sums["discarded"].tolist()),
        seed=seed,
    )
    return {
        "valid_minus_discarded": round(row["precision"] - row["survivors_discarded"], 6),
        "valid_minus_discarded_low": round(low, 6),
        "valid_minus_discarded_high": round(high, 6),
    }


def _finding(rows: pd.DataFrame, given: Given) -> str:
    judgments = read_judgments(given["judgments"])
    return f"{describe_judgments(judgments)} {describe_comparator_validity(rows)}"


TABLE = Table(
    question="RQ3",
    title="Comparators against judged mutants",
    reads=("validity", "judgments"),
    settings=("seed",),
    columns=COLUMNS,
    compute=lambda judgments, **given: tabulate_comparator_validity(**given),
    show=show_comparator_validity,
    finding=_finding,
    caption=(
        "The comparators of the invariant against judged mutants, of which those survive whose "
        "grammar and meaning do. Precision: the share of surviving mutants among the valid ones; "
        "recall: the share of valid mutants among the surviving ones; and the share of surviving "
        "mutants among the discarded ones. The comparator none is no filter at all. Shares are "
        "weighted to the mutants that the judged ones were drawn from, with the 95 % cluster "
        "bootstrap by original."
    ),
    empty="Nothing to show: no mutants were judged.",
    about="""\
The comparators of the invariant against mutants that were judged by reading: whether the grammar
and the meaning of the changed sentences survive. The paper takes valid mutants for sound ones and
discarded mutants for broken ones; this table asks how often that is so. *precision* and *survivors
of discarded* are shares of surviving mutants among valid and among discarded ones: an invariant
that tells sound from broken mutants has a high precision and few survivors of discarded ones, one
that does not has both near the row *none*, which is no filter at all. The readings are those of a
large language model that follows a written guideline, not of people (docs/validity.md).
""",
)
