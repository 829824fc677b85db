"""Examine cases, for results/cases/{model}/{dataset}.parquet: do they recur, and by which edits?"""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..models import ParsedAnswer
from ..mutation import EDITS, Mutant
from ..predictions import Opened, repeat_keys
from .choosing import Case
from .ddmin import Narrowed, narrow


class Answers:
    """The answers of a model, which are requested through its store.

    Answers with a label have an outcome, and so do those with one of the `outcome_statuses`.
    `advance` is called with the number of answers since its last call.
    """

    def __init__(
        self, opened: Opened, *, outcome_statuses: Sequence[str], advance: Callable[[int], object]
    ) -> None:
        self._opened, self._advance = opened, advance
        self._statuses = {"ok", *outcome_statuses}

    def of(self, texts: Sequence[str], *, repeats: int) -> list[list[ParsedAnswer]]:
        """Return `repeats` answers to each text."""
        windows = self._opened.asked.windows(texts) if texts else []
        keys = [repeat_keys(window.digest, repeats=repeats) for window in windows]
        asked = {key: text for text, several in zip(texts, keys, strict=True) for key in several}
        parsed_answers = self._opened.ask(asked, advance=self._advance)
        return [[parsed_answers[key] for key in several] for several in keys]

    def differ(self, parsed: ParsedAnswer, original: ParsedAnswer) -> bool | None:
        """Return whether two answers have different outcomes, or None unless both have one."""
        if not self._statuses.issuperset((parsed.status, original.status)):
            return None
        return (parsed.status, parsed.outcome) != (original.status, original.outcome)


def repeat_cases(
    cases: Sequence[Case], answers: Answers, *, repeats: int
) -> list[dict[str, int | None]]:
    """Return the columns of each case that say in how many repeats it recurs (see `write_cases`).

    In each repeat, the answers to the original, the mutant and, for hidden cases, all sub-mutants
    are compared like the predictions. The predictions are the first repeat.
    """
    texts = [
        [case.mutant.original, *(part.text for part in (case.mutant, *case.sub_mutants))]
        for case in cases
    ]
    answered = iter(answers.of([text for several in texts for text in several], repeats=repeats))
    return [
        _held(case, [next(answered) for _ in several], answers)
        for case, several in zip(cases, texts, strict=True)
    ]


def _held(
    case: Case, parsed_answers: Sequence[Sequence[ParsedAnswer]], answers: Answers
) -> dict[str, int | None]:
    original, *changed = parsed_answers
    answered = [
        [answers.differ(parsed, first) for parsed, first in zip(several, original, strict=True)]
        for several in changed
    ]
    turns = list(zip(*answered, strict=True))
    hidden = (mutant is True and all(part is False for part in parts) for mutant, *parts in turns)
    return {
        "times_biased": sum(mutant is True for mutant, *_ in turns),
        "times_hidden": sum(hidden) if case.hidden else None,
    }


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
    opened: Opened,
    *,
    cases: Sequence[Case],
    repeats: int | None,
    outcome_statuses: Sequence[str],
    path: Path,
) -> None:
    """Ask about each case `repeats` times, narrow its edits, and write a row per case.

    A deterministic model has no `repeats`. Answers in the store are not requested again.

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
    with progress_bar(total=total, label="examine", unit=" answers", note=opened.note) as bar:
        answers = Answers(opened, outcome_statuses=outcome_statuses, advance=bar.update)
        held = repeat_cases(cases, answers, repeats=repeats or 1)
        rows = [
            {
                "mutant_id": case.mutant.mutant_id,
                "hidden": case.hidden,
                "sampled": case.sampled,
                "repeats": repeats,
                **(times if repeats else {}),
                "replaced": len(case.mutant.main_edits),
                **narrowed,
            }
            for case, times, narrowed in zip(cases, held, narrow_cases(cases, answers), strict=True)
        ]
        # Narrowing may have needed fewer answers than planned.
        bar.update(total - bar.n)
    pq.write_table(pa.Table.from_pylist(rows, schema=CASES_SCHEMA), path, compression="zstd")


Edits = Collection[int]
"""Some of a case's edits, by their numbers from left to right."""


def narrow_cases(cases: Sequence[Case], answers: Answers) -> list[dict[str, Any]]:
    """Return the columns of each case that come from its narrowing (see `write_cases`).

    Cases are narrowed in parallel: the model is asked about the next set of each in one batch.
    """
    searches = [narrow(len(case.mutant.edits)) for case in cases]
    narrowed: dict[int, Narrowed] = {}
    changed: dict[int, bool | None] = dict.fromkeys(range(len(cases)))
    while changed:
        tried: dict[int, Edits] = {}
        for number, answer in changed.items():
            try:
                tried[number] = searches[number].send(answer)
            except StopIteration as end:
                narrowed[number] = end.value
        asked = _parsed_answers([(cases[number], kept) for number, kept in tried.items()], answers)
        changed = {
            number: answers.differ(parsed, original)
            for number, (original, parsed) in zip(tried, asked, strict=True)
        }
    found = [narrowed[number] for number in range(len(cases))]
    parts = [(case, edits.kept) for case, edits in zip(cases, found, strict=True)]
    return [
        _columns(case, edits, parsed)
        for case, edits, (_, parsed) in zip(
            cases, found, _parsed_answers(parts, answers), strict=True
        )
    ]


def _parsed_answers(
    parts: Sequence[tuple[Case, Edits]], answers: Answers
) -> list[tuple[ParsedAnswer, ParsedAnswer]]:
    """Return the answers to the original of each case, and to it with only some of the edits."""
    texts = [
        text for case, kept in parts for text in (case.mutant.original, _narrowed(case, kept).text)
    ]
    answered = [parsed for (parsed,) in answers.of(texts, repeats=1)]
    return list(zip(answered[::2], answered[1::2], strict=True))


def _narrowed(case: Case, kept: Edits) -> Mutant:
    return case.mutant.narrowed([case.mutant.edits[number] for number in kept])


def _columns(case: Case, narrowed: Narrowed, parsed: ParsedAnswer) -> dict[str, Any]:
    return {
        "sufficient": len(narrowed.kept),
        "edits": _narrowed(case, narrowed.kept).recipe()["edits"],
        "minimal": narrowed.minimal,
        "status": parsed.status.value,
        "outcome": parsed.outcome,
    }
