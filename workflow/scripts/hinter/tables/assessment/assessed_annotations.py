"""People's answers on mutants that language models have assessed, and how well all agree."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pandas as pd

from ...assessments import (
    ASKED,
    OF_ASSESSED,
    Answers,
    Assessment,
    assessed_about,
    is_tied,
    majority,
    read_answers,
    read_assessed,
    said_of,
)
from ...invariant import Comparator
from ..columns import with_wilson
from ..rq3.sound import checked_by
from ..shown import NONE, in_percent, shown
from ..table import Table
from .agreement import agreement_of_each, read_by, with_agreement

PEOPLE, MODELS = "majority", "language models"
QUESTIONS = (*ASKED, "sound")
LEVELS = {"all": (1, 2), "intersectional": (2,), "atomic": (1,)}
"""The orders of assessed mutants that each level has."""
KEYS = ["annotator", "other", "level"]
COLUMNS = {
    "annotator": "name of the annotator's file, or majority: the majority of several annotators",
    "other": (
        "a second annotator, language models, or a comparator; empty in the rows of one annotator"
    ),
    "level": "level of the mutants: all, intersectional or atomic",
    "mutants": "assessed mutants that are made and checked like the study's",
    "read": "mutants on which the annotator (and the other one) answered both questions",
    "tied": "mutants of read with as many yes as no to a question; for majority only",
    "sound": "mutants of read whose grammar and meaning survive, according to the annotator",
    **with_wilson("sound_share", "sound / read"),
    **with_agreement(QUESTIONS),
}


def tabulate_assessed_annotations(
    assessments: Path,
    assessed: pd.DataFrame,
    answers: Sequence[Path],
    *,
    operators: Sequence[str],
    seed: int,
) -> pd.DataFrame:
    """Return a row per annotator, or annotator and other one, and level of mutants.

    `assessments` is the CSV file of the language models, `assessed` results/assessed.parquet, with
    the check of each comparator. A comparator that finds a mutant valid counts as calling it sound.
    """
    mutants = assessed_about(read_assessed(assessments), operators=operators)
    known = {mutant.mutant_id for mutant in mutants}
    annotators = read_answers(OF_ASSESSED, answers, known=known)
    people = [*annotators, *([_majority(annotators, known)] if len(annotators) > 1 else [])]
    models = Answers(MODELS, {mutant.mutant_id: mutant.final for mutant in mutants})
    others = [models, *_checks(assessed[assessed["people"] > 0])]
    pairs = [*((one,) for one in people), *combinations(annotators, 2), *product(people, others)]
    by_level = {
        level: [each.mutant_id for each in mutants if len(each.pairs) in orders]
        for level, orders in LEVELS.items()
    }
    rows = [
        {"level": level} | _row(pair, ids, annotators=annotators, seed=seed)
        for pair in pairs
        for level, ids in by_level.items()
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"tied": "Int64"})


def _majority(annotators: Sequence[Answers], mutants: set[str]) -> Answers:
    said = {mutant: said_of(mutant, annotators) for mutant in mutants}
    return Answers(PEOPLE, {mutant: majority(given) for mutant, given in said.items() if given})


def _checks(checked: pd.DataFrame) -> Iterator[Answers]:
    for comparator in Comparator:
        rows = checked_by(checked, comparator)
        checks = zip(rows["mutant_id"], rows["valid"], strict=True)
        yield Answers(
            comparator.value, {mutant: Assessment(valid, valid) for mutant, valid in checks}
        )


def _row(
    pair: Sequence[Answers], mutants: Sequence[str], *, annotators: Sequence[Answers], seed: int
) -> dict[str, Any]:
    # A check does not distinguish between grammar and meaning.
    checked = pair[-1].annotator in [*Comparator]
    questions = QUESTIONS[-1:] if checked else QUESTIONS
    read, row = read_by(pair, mutants, deciding=pair[:1], questions=questions, seed=seed)
    tied = sum(is_tied(said_of(mutant, annotators)) for mutant in read)
    of_all = pair[0].annotator == PEOPLE
    return row | {"mutants": len(mutants), "tied": tied if of_all else None}


TABLE = Table(
    title="Assessed mutants read by people",
    settings=("mutation.operators", "seed"),
    only_if=("answers of people",),
    columns=COLUMNS,
    compute=tabulate_assessed_annotations,
    show=shown(
        *(*KEYS, "read"),
        lambda rows: {"other": rows["other"].replace("", NONE), "tied": rows["tied"]},
        in_percent("sound_share", "sound %", ends="interval"),
        *agreement_of_each(QUESTIONS),
    ),
    empty="Nothing to show: nobody has answered on assessed mutants.",
    text="""\
What people found in the mutants that language models have assessed, valid and discarded ones, and
how well they agree with one another, with the language models, and with the comparators, whose
valid mutants count as sound. With several annotators the majority decides each question separately;
a tie counts as no. Shares have 95 % Wilson intervals, Cohen's kappa 95 % cluster bootstrap
intervals by original.

If people have read these mutants, the precision of the invariant and the corrected rates are based
on their answers alone (docs/validity.md).
""",
)
