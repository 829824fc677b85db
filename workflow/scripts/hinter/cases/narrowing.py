"""Find which edits of cases suffice to change the outcome."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..models import ParsedAnswer
from ..mutation import Mutant
from .answers import Answers
from .choosing import Case
from .ddmin import Narrowed, narrow

Edits = Collection[int]
"""Some of a case's edits, by their numbers from left to right."""


def narrow_cases(cases: Sequence[Case], answers: Answers) -> list[dict[str, Any]]:
    """Return the columns of each case that come from its narrowing (see `write_cases`).

    Cases are narrowed in parallel: the model is asked about the next set of each in one batch.
    """
    searches = [narrow(len(case.mutant.edits)) for case in cases]
    narrowed: dict[int, Narrowed] = {}
    answered: dict[int, bool | None] = dict.fromkeys(range(len(cases)))
    while answered:
        tried: dict[int, Edits] = {}
        for number, changed in answered.items():
            try:
                tried[number] = searches[number].send(changed)
            except StopIteration as end:
                narrowed[number] = end.value
        answered = _ask({number: (cases[number], kept) for number, kept in tried.items()}, answers)
    found = [narrowed[number] for number in range(len(cases))]
    parts = [(case, edits.kept) for case, edits in zip(cases, found, strict=True)]
    return [
        _columns(case, edits, parsed)
        for case, edits, (_, parsed) in zip(
            cases, found, _parsed_answers(parts, answers), strict=True
        )
    ]


def _ask(parts: Mapping[int, tuple[Case, Edits]], answers: Answers) -> dict[int, bool | None]:
    """Return for each case whether these edits, some of its own, change the outcome."""
    answered = _parsed_answers(list(parts.values()), answers)
    return {
        number: answers.differ(parsed, original)
        for number, (original, parsed) in zip(parts, answered, strict=True)
    }


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
