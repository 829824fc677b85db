"""The answers of people in the place of those of language models."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .answers import Answers
from .reading import AssessedMutant, Assessment


def telling(assessed: Sequence[AssessedMutant], *, substitution: str) -> list[AssessedMutant]:
    """Return the assessed mutants that tell of a study's, by its kind of substitution."""
    return [mutant for mutant in assessed if mutant.tells == substitution]


def said_of(mutant_id: str, readers: Sequence[Answers[Assessment]]) -> list[Assessment]:
    """Return what the readers who answered on a mutant say of it."""
    return [reader.assessments[mutant_id] for reader in readers if mutant_id in reader.assessments]


def majority(said: Sequence[Assessment]) -> Assessment:
    """Return what most readers of a mutant say to each question; where as many do not, it is no."""
    return Assessment(*(2 * sum(answers) > len(said) for answers in zip(*said, strict=True)))


def is_tied(said: Sequence[Assessment]) -> bool:
    """Tell whether as many readers of a mutant say yes as no to either question."""
    return any(2 * sum(answers) == len(said) for answers in zip(*said, strict=True))


def with_people(
    assessed: Sequence[AssessedMutant],
    readers: Sequence[Answers[Assessment]],
    *,
    substitution: str,
) -> list[AssessedMutant]:
    """Return the assessed mutants with the answers of people on those that tell of a study's.

    Where there are any, the others of these that nobody has read are left out; those that were
    read stand for them, too, in their stratum. All mutants of other draws and halves stay.
    """
    asked = telling(assessed, substitution=substitution)
    said = {mutant.mutant_id: said_of(mutant.mutant_id, readers) for mutant in asked}
    read = [mutant for mutant in asked if said[mutant.mutant_id]]
    if not read:
        return list(assessed)
    drawn, left = (Counter(map(_stratum, mutants)) for mutants in (asked, read))
    answered = [
        replace(
            mutant,
            final=majority(said[mutant.mutant_id]),
            people=len(said[mutant.mutant_id]),
            weight=mutant.weight * drawn[_stratum(mutant)] / left[_stratum(mutant)],
        )
        for mutant in read
    ]
    replaced = set(map(_key, asked))
    others = [mutant for mutant in assessed if _key(mutant) not in replaced]
    return sorted([*others, *answered], key=_key)


def _key(mutant: AssessedMutant) -> tuple[str, str]:
    return mutant.draw, mutant.mutant_id


def _stratum(mutant: AssessedMutant) -> tuple[str, str, str]:
    return mutant.draw, mutant.dataset, mutant.stratum
