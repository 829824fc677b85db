"""What people find in the mutants that they read, and how well they agree."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd

from ...assessments import OF_FORM, Answers, Assessment, read_answers
from ...statistics import agreement_of, kappa_interval
from ..columns import number_columns, proportion_columns, with_bootstrap, with_wilson
from ..shown import Columns, in_percent, in_points, shown
from ..table import Table

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


ALL = "all"
QUESTIONS = (*Assessment._fields, "sound")
KEYS = ["annotator", "other", "dataset", "order"]
COLUMNS = {
    "annotator": "name of the annotator's file",
    "other": "name of a second annotator's file; empty in the rows of one annotator",
    "dataset": "name of the dataset, or all",
    "order": "order of the mutants, or all",
    "mutants": "mutants of the form",
    "read": "mutants on which the annotator (or both annotators) answered both questions",
    "unanswered": "mutants - read",
    "sound": (
        "mutants of read whose grammar and meaning survive, according to the annotator (or both)"
    ),
    **with_wilson("sound_share", "sound / read"),
    **with_agreement(QUESTIONS),
}


def tabulate_agreement(
    form: Mapping[str, str], answers: Sequence[Path], *, seed: int
) -> pd.DataFrame:
    """Return a row per annotator, or pair of annotators, and part of the form.

    `form` has the dataset of each mutant, `answers` the completed form of each annotator. Answers
    on cases and on assessed mutants are counted in other tables.
    """
    annotators = read_answers(OF_FORM, answers, known=form)
    groups = chain(((annotator,) for annotator in annotators), combinations(annotators, 2))
    rows = [
        _row(group, mutants, seed=seed) | {"dataset": dataset, "order": order}
        for group in groups
        for dataset, order, mutants in _parts(form)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _parts(form: Mapping[str, str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield dataset, order and mutants of each part of a form that has any."""
    keys = {mutant_id: (dataset, str(mutant_id.count("|"))) for mutant_id, dataset in form.items()}
    datasets, orders = (_with_all(sorted(set(names))) for names in zip(*keys.values(), strict=True))
    for dataset, order in product(datasets, orders):
        mutants = [
            mutant_id
            for mutant_id, (own_dataset, own_order) in keys.items()
            if dataset in (ALL, own_dataset) and order in (ALL, own_order)
        ]
        if mutants:
            yield dataset, order, mutants


def _with_all(names: list[str]) -> list[str]:
    return [ALL, *names] if len(names) > 1 else names


def _row(
    group: Sequence[Answers[Assessment]], mutants: Sequence[str], *, seed: int
) -> dict[str, Any]:
    said = [annotator.assessments for annotator in group]
    read = [mutant for mutant in mutants if all(mutant in answers for answers in said)]
    sound = sum(all(answers[mutant].sound for answers in said) for mutant in read)
    return {
        "annotator": group[0].annotator,
        "other": group[1].annotator if len(group) > 1 else "",
        "mutants": len(mutants),
        "read": len(read),
        "unanswered": len(mutants) - len(read),
        "sound": sound,
        **proportion_columns("sound_share", sound, len(read)),
        **agreement_columns(said, read, questions=QUESTIONS, seed=seed),
    }


TABLE = Table(
    title="Mutants read by people",
    reads=("form", "answers"),
    settings=("seed",),
    only_if=("answers of people",),
    columns=COLUMNS,
    compute=tabulate_agreement,
    show=shown(
        *(*KEYS, "read", "unanswered", "sound"),
        lambda rows: {"other": rows["other"].replace("", "-")},
        in_percent("sound_share", "sound %", ends="interval"),
        *agreement_of_each(QUESTIONS),
    ),
    caption=(
        "What people found in the valid mutants that they read. A mutant is sound if its grammar "
        "and meaning survive; for a pair of annotators, if both say that it is. Mutants without "
        "both answers are left out and counted as unanswered. Shares have 95 % Wilson intervals; "
        "Cohen's kappa, on mutants that both have read, has 95 % cluster bootstrap intervals by "
        "original."
    ),
    empty="Nothing to show: nobody has answered the form.",
    about="""\
Datasets and orders have equal parts in the form, whatever their sizes, so the shares of *all*
differ from those of the suite (docs/validity.md).
""",
)
