"""Whether cases hold when a model is asked about them again."""

from collections.abc import Sequence
from typing import NamedTuple

from ..models import Reading
from .answers import Answers
from .choosing import Case


class Held(NamedTuple):
    """In how many of its repeats a mutant is biased, and hidden; `hidden` is None for others."""

    biased: int
    hidden: int | None


def repeat_cases(cases: Sequence[Case], answers: Answers, *, repeats: int) -> list[Held]:
    """Return how often each case holds.

    In each repeat, the answers of that turn to the original, the mutant and, for hidden cases, all
    its sub-mutants are compared like those of the predictions, which are the first.
    """
    texts = [_texts(case) for case in cases]
    told = iter(answers.of([text for several in texts for text in several], repeats=repeats))
    return [
        _held(case, [next(told) for _ in several], answers)
        for case, several in zip(cases, texts, strict=True)
    ]


def _texts(case: Case) -> list[str]:
    """Return the texts of the original, of the mutant and, of hidden cases, of all between."""
    return [case.mutant.original, *(part.text for part in (case.mutant, *case.sub_mutants))]


def _held(case: Case, readings: Sequence[Sequence[Reading]], answers: Answers) -> Held:
    original, *changed = readings
    told = [
        [answers.differ(reading, first) for reading, first in zip(several, original, strict=True)]
        for several in changed
    ]
    turns = list(zip(*told, strict=True))
    biased = sum(mutant is True for mutant, *_ in turns)
    if not case.hidden:
        return Held(biased, None)
    hidden = (mutant is True and all(part is False for part in parts) for mutant, *parts in turns)
    return Held(biased, sum(hidden))
