"""What people find in the mutants that they read, and how well they agree."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import pandas as pd

from ...assessments import ASKED, OF_FORM, Answers, read_answers
from ..columns import proportion_columns, with_wilson
from ..shown import in_percent, shown
from ..table import Table
from .pairs import agreement_columns, agreement_of_each, with_agreement

ALL = "all"
QUESTIONS = (*ASKED, "sound")
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


def _row(group: Sequence[Answers], mutants: Sequence[str], *, seed: int) -> dict[str, Any]:
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
