"""What people find in mutants and cases that they read, and how well they agree."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd

from ...assessments import ASKED, ASKED_OF_CASES, OF_CASES, OF_FORM, Answers, read_answers
from ...statistics import agreement_of, kappa_interval
from ..columns import number_columns, proportion_columns, with_bootstrap, with_wilson
from ..groups import LEVEL
from ..shown import Columns, in_percent, in_points, shown
from ..table import Results, Table, query_results

KAPPA = "Cohen's kappa; empty if both always give the same answer"


def with_agreement(questions: Sequence[str]) -> dict[str, str]:
    """Return the columns of the agreement on each question."""
    columns: dict[str, str] = {}
    for question in questions:
        columns[f"{question}_agreement"] = f"share of read with equal answers ({question})"
        columns |= with_bootstrap(f"{question}_kappa", KAPPA)
    return columns


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
    columns: list[Columns] = []
    for question in questions:
        columns.append(in_percent(f"{question}_agreement", f"{question}: agreement %"))
        columns.append(in_points(f"{question}_kappa", f"{question}: kappa", ends="{} by original"))
    return columns


ANNOTATORS = {
    "annotator": "name of the annotator's file",
    "other": "name of a second annotator's file; empty in the rows of one annotator",
}
ALL = "all"
QUESTIONS = (*ASKED, "sound")
KEYS = [*ANNOTATORS, "dataset", "order"]
COLUMNS = {
    **ANNOTATORS,
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
    rows = [
        {"dataset": dataset, "order": order, "mutants": len(mutants)}
        | read_by(group, mutants, deciding=group, questions=QUESTIONS, seed=seed)[1]
        for group in _groups(annotators)
        for dataset, order, mutants in _parts(form)
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.assign(unanswered=table["mutants"] - table["read"])


def _parts(form: Mapping[str, str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield dataset, order and mutants of each part of a form that has any."""
    keys = {mutant_id: (dataset, str(mutant_id.count("|"))) for mutant_id, dataset in form.items()}
    named = [sorted(set(names)) for names in zip(*keys.values(), strict=True)]
    for dataset, order in product(*([ALL] * (len(names) > 1) + names for names in named)):
        mutants = [
            mutant_id
            for mutant_id, (own_dataset, own_order) in keys.items()
            if dataset in (ALL, own_dataset) and order in (ALL, own_order)
        ]
        if mutants:
            yield dataset, order, mutants


def _groups(annotators: Sequence[Answers]) -> list[tuple[Answers, ...]]:
    """Return each annotator, and each pair of annotators."""
    return [*((annotator,) for annotator in annotators), *combinations(annotators, 2)]


def read_by(
    group: Sequence[Answers],
    mutants: Sequence[str],
    *,
    deciding: Sequence[Answers],
    questions: Sequence[str],
    seed: int,
) -> tuple[list[str], dict[str, Any]]:
    """Return the mutants that all of a group have read, and the columns of one or two annotators.

    Sound are those that all the `deciding` annotators call so.
    """
    said = [annotator.assessments for annotator in group]
    read = [mutant for mutant in mutants if all(mutant in answers for answers in said)]
    sound = sum(all(one.assessments[mutant].sound for one in deciding) for mutant in read)
    return read, {
        "annotator": group[0].annotator,
        "other": group[1].annotator if len(group) > 1 else "",
        "read": len(read),
        "sound": sound,
        **proportion_columns("sound_share", sound, len(read)),
        **agreement_columns(said, read, questions=questions, seed=seed),
    }


AGREEMENT = Table(
    title="Mutants read by people",
    only_if=("answers of people",),
    columns=COLUMNS,
    compute=tabulate_agreement,
    show=shown(
        *(*KEYS, "read", "unanswered", "sound"),
        lambda rows: {"other": rows["other"].replace("", "-")},
        in_percent("sound_share", "sound %", ends="interval"),
        *agreement_of_each(QUESTIONS),
    ),
    empty="Nothing to show: nobody has answered the form.",
    text="""\
What people found in the valid mutants that they read. A mutant is sound if its grammar and meaning
survive; for a pair of annotators, if both say that it is. Mutants without both answers are left out
and counted as unanswered. Shares have 95 % Wilson intervals; Cohen's kappa, on mutants that both
have read, has 95 % cluster bootstrap intervals by original.

Datasets and orders have equal parts in the form, whatever their sizes, so the shares of *all*
differ from those of the suite (docs/validity.md).
""",
)


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
CASE_KEYS = [*ANNOTATORS, *KINDS]
CASE_QUESTIONS = (*ASKED_OF_CASES, "sound")
CASE_COLUMNS = {
    **ANNOTATORS,
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
    **with_agreement(CASE_QUESTIONS),
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
        dict(zip(KINDS, kind, strict=True))
        | _case_row(group, members["mutant_id"].tolist(), n=members["n"].iloc[0], seed=seed)
        for group in _groups(annotators)
        for kind, members in cases.groupby(KINDS, sort=False)
    ]
    return pd.DataFrame(rows, columns=list(CASE_COLUMNS)).astype({"n": "Int64"})


def _case_row(
    group: Sequence[Answers], mutants: Sequence[str], *, n: float, seed: int
) -> dict[str, Any]:
    read, row = read_by(group, mutants, deciding=group, questions=CASE_QUESTIONS, seed=seed)
    said = [[annotator.assessments[mutant] for annotator in group] for mutant in read]
    bias = sum(all(each.sound and each.bias for each in given) for given in said)
    row |= {"cases": len(mutants), "n": n, "bias": bias}
    row |= proportion_columns("bias_share", bias, row["read"])
    shares = {end: row[f"bias_share{end}"] for end in ("", "_low", "_high")}
    confirmed = {end: round(len(mutants) / n * share, 6) for end, share in shares.items()}
    return row | {f"confirmed_rate{end}": rate for end, rate in confirmed.items()}


CASE_ANNOTATIONS = Table(
    title="Cases read by people",
    only_if=("answers of people",),
    warned=False,
    columns=CASE_COLUMNS,
    compute=tabulate_case_annotations,
    show=shown(
        *(*CASE_KEYS, "cases", "read"),
        lambda rows: {"other": rows["other"].replace("", "-")},
        in_percent("sound_share", "sound %", ends="sound: interval"),
        in_percent("bias_share", "bias %", ends="bias: interval"),
        *agreement_of_each(CASE_QUESTIONS),
        in_percent("confirmed_rate", "confirmed bias %", ends="{}: interval"),
    ),
    empty="Nothing to show: nobody has answered on the cases of the report.",
    text="""\
What people found in mutants that changed an outcome: whether they are sound, and whether sound ones
are bias, with 95 % Wilson intervals. For a pair of annotators, both must say so; Cohen's kappa has
95 % cluster bootstrap intervals by original. Cases without all answers are left out. Confirmed is
the share of the model's valid mutants that are biased, sound and found to be bias; its interval
only covers the uncertainty of the answers.

All cases are biased mutants, so the shares say nothing about mutants that changed no outcome. The
tables of assessed mutants show how precise the invariant is. *Confirmed* needs no assumption about
these (docs/validity.md).
""",
)
