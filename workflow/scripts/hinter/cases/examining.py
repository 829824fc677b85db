"""Examine cases, for results/cases/{model}/{dataset}.parquet."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..models import Model, ParsedAnswer
from ..mutation import EDITS
from ..responses import ResponseStore
from .answers import Answers
from .choosing import Case
from .narrowing import narrow_cases


class Held(NamedTuple):
    """In how many repeats a mutant is biased, and its bias hidden (None if it was not hidden)."""

    biased: int
    hidden: int | None


def repeat_cases(cases: Sequence[Case], answers: Answers, *, repeats: int) -> list[Held]:
    """Return in how many repeats each case recurs.

    In each repeat, the answers to the original, the mutant and, for hidden cases, all sub-mutants
    are compared like the predictions. The predictions are the first repeat.
    """
    texts = [_texts(case) for case in cases]
    answered = iter(answers.of([text for several in texts for text in several], repeats=repeats))
    return [
        _held(case, [next(answered) for _ in several], answers)
        for case, several in zip(cases, texts, strict=True)
    ]


def _texts(case: Case) -> list[str]:
    """Return the texts of the original, the mutant and, for hidden cases, all sub-mutants."""
    return [case.mutant.original, *(part.text for part in (case.mutant, *case.sub_mutants))]


def _held(case: Case, parsed_answers: Sequence[Sequence[ParsedAnswer]], answers: Answers) -> Held:
    original, *changed = parsed_answers
    answered = [
        [answers.differ(parsed, first) for parsed, first in zip(several, original, strict=True)]
        for several in changed
    ]
    turns = list(zip(*answered, strict=True))
    biased = sum(mutant is True for mutant, *_ in turns)
    if not case.hidden:
        return Held(biased, None)
    hidden = (mutant is True and all(part is False for part in parts) for mutant, *parts in turns)
    return Held(biased, sum(hidden))


CASES_SCHEMA = pa.schema(
    {
        "mutant_id": pa.string(),
        "hidden": pa.bool_(),
        "sampled": pa.bool_(),
        "repeats": pa.int32(),
        "times_biased": pa.int32(),
        "times_hidden": pa.int32(),
        "replaced": pa.int32(),
        "sufficient": pa.int32(),
        "edits": EDITS,
        "minimal": pa.bool_(),
        "status": pa.string(),
        "outcome": pa.list_(pa.string()),
    }
)
"""The columns of results/cases."""


def write_cases(
    model: Model,
    *,
    cases: Sequence[Case],
    repeats: int | None,
    outcome_statuses: Sequence[str],
    store: ResponseStore,
    path: Path,
    note: Callable[[], str] | None = None,
) -> None:
    """Ask about each case `repeats` times, narrow its edits, and write a row per case.

    A deterministic model has no `repeats`. Answers in the store are not requested again. The
    progress bar shows the text of `note`.

    `repeats`: how often the case was asked about, null for a deterministic model.
    `times_biased`, `times_hidden`: in how many of them the mutant is biased, and its bias hidden
    (null for cases that are not hidden).
    `replaced`: the number of edits of the mutant, without those that only make articles agree.
    `sufficient`: how many of them suffice to change the outcome.
    `edits`: these edits, as in a recipe.
    `minimal`: none of these can be left out (false if the answers for this case ran out).
    `status`, `outcome`: the answer to the original with only these edits.
    """
    total = sum(case.most_answers(repeats=repeats or 1) for case in cases)
    with progress_bar(total=total, label="examine", unit=" answers", note=note) as bar:
        answers = Answers(model, store, outcome_statuses=outcome_statuses, advance=bar.update)
        held = repeat_cases(cases, answers, repeats=repeats or 1)
        rows = [
            {
                "mutant_id": case.mutant.mutant_id,
                "hidden": case.hidden,
                "sampled": case.sampled,
                "repeats": repeats,
                "times_biased": times.biased if repeats else None,
                "times_hidden": times.hidden if repeats else None,
                "replaced": len(case.mutant.main_edits),
                **narrowed,
            }
            for case, times, narrowed in zip(cases, held, narrow_cases(cases, answers), strict=True)
        ]
        # Narrowing may have needed fewer answers than planned.
        bar.update(total - bar.n)
    pq.write_table(pa.Table.from_pylist(rows, schema=CASES_SCHEMA), path, compression="zstd")
