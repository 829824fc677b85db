"""People's answers on the cases of the report, and the bias rates that follow from them."""

from collections.abc import Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pandas as pd

from ...assessments import ASKED_OF_CASES, OF_CASES, Answers, read_answers
from ..columns import proportion_columns, with_wilson
from ..groups import LEVEL
from ..shown import in_percent, shown
from ..table import Results, Table, query_results
from .pairs import agreement_columns, agreement_of_each, with_agreement

# The cases of the report: the model sees all pairs, and the mutant was tested for its own sake.
CASES = f"""
    SELECT model, dataset, level, if(valid, 'valid', 'discarded') AS "check",
        hidden IS TRUE AS hidden, mutant_id, if(valid, n, NULL)::DOUBLE AS n
    FROM (SELECT *, {LEVEL} AS level FROM full_verdicts)
    LEFT JOIN (
        SELECT model, dataset, {LEVEL} AS level, count(*) AS n FROM counted_verdicts GROUP BY ALL
    ) USING (model, dataset, level)
    WHERE biased AND sampled IS DISTINCT FROM false ORDER BY ALL
"""
KINDS = ["model", "dataset", "level", "check", "hidden"]
KEYS = ["annotator", "other", *KINDS]
QUESTIONS = (*ASKED_OF_CASES, "sound")
COLUMNS = {
    "annotator": "name of the annotator's file",
    "other": "name of a second annotator's file; empty in the rows of one annotator",
    "model": "name of the model",
    "dataset": "name of the dataset",
    "level": "level of the mutants: intersectional or atomic",
    "check": "the invariant's check: valid or discarded",
    "hidden": "whether their bias is hidden",
    "cases": "biased mutants of this kind",
    "read": "cases on which the annotator (or both annotators) answered all questions",
    "sound": (
        "cases of read whose grammar and meaning survive, according to the annotator (or both)"
    ),
    **with_wilson("sound_share", "sound / read"),
    "bias": "sound cases of read that are bias, according to the annotator (or both)",
    **with_wilson("bias_share", "bias / read"),
    **with_agreement(QUESTIONS),
    "n": "valid mutants that the model was run on; empty for discarded ones",
    **with_wilson("confirmed_rate", "cases / n * bias_share, given cases and n"),
}


def tabulate_case_annotations(
    verdicts: Results, answers: Sequence[Path], *, seed: int
) -> pd.DataFrame:
    """Return a row per annotator, or pair of annotators, and kind of cases of a model and dataset.

    `answers` are the annotators' files. Answers on other mutants are counted in other tables.
    """
    cases = query_results(CASES, verdicts=verdicts)
    annotators = read_answers(OF_CASES, answers, known=set(cases["mutant_id"]))
    rows = [
        dict(zip(KEYS, (group[0].annotator, *other, *kind), strict=True))
        | _row(group, members["mutant_id"].tolist(), n=members["n"].iloc[0], seed=seed)
        for group in chain(((annotator,) for annotator in annotators), combinations(annotators, 2))
        for other in [[annotator.annotator for annotator in group[1:]] or [""]]
        for kind, members in cases.groupby(KINDS, sort=False)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"n": "Int64"})


def _row(
    group: Sequence[Answers], mutants: Sequence[str], *, n: float, seed: int
) -> dict[str, Any]:
    said = [annotator.assessments for annotator in group]
    read = [mutant for mutant in mutants if all(mutant in answers for answers in said)]
    sound = [mutant for mutant in read if all(answers[mutant].sound for answers in said)]
    bias = [mutant for mutant in sound if all(answers[mutant].bias for answers in said)]
    row: dict[str, Any] = {"cases": len(mutants), "read": len(read)}
    for name, found in (("sound", sound), ("bias", bias)):
        row |= {name: len(found), **proportion_columns(f"{name}_share", len(found), len(read))}
    row |= agreement_columns(said, read, questions=QUESTIONS, seed=seed)
    shares = {end: row[f"bias_share{end}"] for end in ("", "_low", "_high")}
    confirmed = {end: round(len(mutants) / n * share, 6) for end, share in shares.items()}
    return row | {"n": n} | {f"confirmed_rate{end}": rate for end, rate in confirmed.items()}


TABLE = Table(
    title="Cases read by people",
    reads=("verdicts", "answers"),
    settings=("seed",),
    only_if=("answers of people",),
    columns=COLUMNS,
    compute=tabulate_case_annotations,
    show=shown(
        *(*KEYS, "cases", "read"),
        lambda rows: {"other": rows["other"].replace("", "-")},
        in_percent("sound_share", "sound %", ends="sound: interval"),
        in_percent("bias_share", "bias %", ends="bias: interval"),
        *agreement_of_each(QUESTIONS),
        in_percent("confirmed_rate", "confirmed bias %", ends="{}: interval"),
    ),
    caption=(
        "What people found in mutants that changed an outcome: whether they are sound, and whether "
        "sound ones are bias, with 95 % Wilson intervals. For a pair of annotators, both must "
        "say so; Cohen's kappa has 95 % cluster bootstrap intervals by original. Cases without "
        "all answers are left out. Confirmed is the share of the model's valid mutants that are "
        "biased, sound and found to be bias; its interval only covers the uncertainty of the "
        "answers."
    ),
    empty="Nothing to show: nobody has answered on the cases of the report.",
    about="""\
All cases are biased mutants, so the shares say nothing about mutants that changed no outcome. The
tables of assessed mutants show how precise the invariant is. *Confirmed* needs no assumption about
these (docs/validity.md).
""",
)
