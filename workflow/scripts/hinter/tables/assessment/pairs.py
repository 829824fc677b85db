"""The agreement of two annotators of the same mutants on each question, as columns of a table."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from ...statistics import agreement_of, kappa_interval
from ..columns import number_columns, with_bootstrap
from ..shown import Columns, in_percent, in_points

KAPPA = "Cohen's kappa; empty if both always give the same answer"


def with_agreement(questions: Sequence[str]) -> dict[str, str]:
    """Return the columns of the agreement on each question."""
    return {
        name: meaning
        for question in questions
        for name, meaning in {
            f"{question}_agreement": f"share of read with equal answers ({question})",
            **with_bootstrap(f"{question}_kappa", KAPPA),
        }.items()
    }


def agreement_columns(
    said: Sequence[Mapping[str, Any]], read: Sequence[str], *, questions: Sequence[str], seed: int
) -> dict[str, float]:
    """Return the columns of `with_agreement` for one or two annotators of the mutants `read`.

    `said` has the answers of each by mutant_id. For one annotator, all columns are nan.
    """
    columns: dict[str, float] = dict.fromkeys(with_agreement(questions), nan)
    if len(said) < 2:
        return columns
    originals = [mutant.partition("|")[0] for mutant in read]
    for question in questions:
        answers = [[getattr(given[mutant], question) for mutant in read] for given in said]
        share, kappa = agreement_of(*answers)
        interval = kappa_interval(*answers, clusters=originals, seed=seed)
        columns |= {f"{question}_agreement": round(share, 6)}
        columns |= number_columns(f"{question}_kappa", kappa, interval)
    return columns


def agreement_of_each(questions: Sequence[str]) -> list[Columns]:
    """Return the formatted columns of `with_agreement`."""
    return [
        columns
        for question in questions
        for columns in (
            in_percent(f"{question}_agreement", f"{question}: agreement %"),
            in_points(f"{question}_kappa", f"{question}: kappa", ends="{} by original"),
        )
    ]
