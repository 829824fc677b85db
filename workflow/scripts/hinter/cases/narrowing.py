"""Find which edits of cases suffice to change the outcome."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..models import Reading
from ..mutation import Mutant
from .answers import Answers
from .choosing import Case
from .ddmin import Narrowed, narrow

Places = Collection[int]
"""Some of a case's edits, by their numbers from left to right."""


def narrow_cases(cases: Sequence[Case], answers: Answers) -> list[dict[str, Any]]:
    """Return the columns of each case that come from its narrowing (see `write_cases`).

    Cases are narrowed in parallel: the model is asked about the next set of each in one batch.
    """
    searches = [narrow(len(case.mutant.places)) for case in cases]
    narrowed: dict[int, Narrowed] = {}
    told: dict[int, bool | None] = dict.fromkeys(range(len(cases)))
    while told:
        tried: dict[int, Places] = {}
        for number, changed in told.items():
            try:
                tried[number] = searches[number].send(changed)
            except StopIteration as end:
                narrowed[number] = end.value
        told = _ask({number: (cases[number], kept) for number, kept in tried.items()}, answers)
    found = [narrowed[number] for number in range(len(cases))]
    parts = [(case, places.kept) for case, places in zip(cases, found, strict=True)]
    return [
        _columns(case, places, reading)
        for case, places, (_, reading) in zip(cases, found, _readings(parts, answers), strict=True)
    ]


def _ask(parts: Mapping[int, tuple[Case, Places]], answers: Answers) -> dict[int, bool | None]:
    """Return for each case whether these edits, some of its own, change the outcome."""
    told = _readings(list(parts.values()), answers)
    return {
        number: answers.differ(reading, original)
        for number, (original, reading) in zip(parts, told, strict=True)
    }


def _readings(
    parts: Sequence[tuple[Case, Places]], answers: Answers
) -> list[tuple[Reading, Reading]]:
    """Return the answers to the original of each case, and to it with only some of the edits."""
    texts = [
        text for case, kept in parts for text in (case.mutant.original, _narrowed(case, kept).text)
    ]
    told = [reading for (reading,) in answers.of(texts, repeats=1)]
    return list(zip(told[::2], told[1::2], strict=True))


def _narrowed(case: Case, kept: Places) -> Mutant:
    return case.mutant.narrowed([case.mutant.places[number] for number in kept])


def _columns(case: Case, narrowed: Narrowed, reading: Reading) -> dict[str, Any]:
    return {
        "sufficient": len(narrowed.kept),
        "edits": _narrowed(case, narrowed.kept).recipe()["edits"],
        "minimal": narrowed.minimal,
        "status": reading.status.value,
        "outcome": reading.outcome,
    }
