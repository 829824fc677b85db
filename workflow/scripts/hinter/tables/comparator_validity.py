"""What the comparators of the invariant are worth, measured against judged mutants (RQ3)."""

from typing import Any

import pandas as pd

from ..invariant import Comparator
from ..statistics import bootstrap_difference
from .survivors import NO_FILTER, checked_by, judged_by_kind, survivor_sums, weighted_share
from .writing import percent, percent_intervals

SHARES = {
    "precision": "precision %",
    "recall": "recall %",
    "survivors_discarded": "survivors of discarded %",
    "valid_minus_discarded": "valid - discarded",
    "grammar_precision": "grammar survives %",
    "meaning_precision": "meaning survives %",
}
"""The columns of shares with the titles under which they are read."""


def tabulate_comparator_validity(judged: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return a row per kind of mutant and comparator, given results/validity.parquet.

    Of `judged` mutants that the comparator does not leave unchecked, `valid` are valid. The other
    columns are shares of the population that these were drawn from, with the 95 % cluster bootstrap
    by original (`_low`, `_high`): `precision`, which of the valid mutants survive; `recall`, which
    of the surviving ones are valid; `survivors_discarded`, which of the discarded ones survive;
    `valid_minus_discarded`, by how much `precision` is above it; and of the valid mutants those
    whose grammar (`grammar_precision`) or meaning (`meaning_precision`) survives. The comparator
    `none` is no filter at all, so that its precision is the share of surviving mutants.
    """
    comparators = [NO_FILTER, *(comparator.value for comparator in Comparator)]
    rows = [
        {"kind": kind, "comparator": comparator} | _row(checked_by(of_kind, comparator), seed=seed)
        for kind, of_kind in judged_by_kind(judged).items()
        for comparator in comparators
    ]
    return pd.DataFrame(rows)


def show_comparator_validity(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages with intervals by original."""
    shown: dict[str, Any] = {name: rows[name] for name in ("kind", "comparator", "judged", "valid")}
    for place, (name, title) in enumerate(SHARES.items()):
        shown[title] = rows[name].map(percent)
        # Markdown tables need distinct titles.
        shown["by original" + " " * place] = percent_intervals(rows, name)
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
