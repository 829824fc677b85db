"""The answers of people who have read mutants, and their place among those of models."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from ..corpora import read_rows
from ..errors import InputError
from .cells import Cells
from .reading import ANSWERS, AssessedMutant, Assessment, CaseAssessment

Said = TypeVar("Said", Assessment, CaseAssessment)


class Answers(NamedTuple, Generic[Said]):
    """A reader, named like the file, and the assessments by mutant_id."""

    reader: str
    assessments: Mapping[str, Said]


def read_form(path: Path) -> dict[str, str]:
    """Return the dataset of each mutant in the CSV file of a form, by mutant_id."""
    return {row["mutant_id"]: row["dataset"] for _, row in read_rows(path)}


@dataclass(frozen=True)
class About(Generic[Said]):
    """What answers are on, by the column that only their files have, and what is `asked` of each.

    A mutant that is none of these is not `expected`, and `fix` says what to do about it.
    """

    column: str
    asked: type[Said]
    expected: str
    fix: str


OF_FORM = About(
    "",
    Assessment,
    "a mutant of results/assessment/form.csv",
    "Correct the cell. If the study has changed since the form was handed out, answers to it can "
    "only be read with the configuration and data of that time.",
)
OF_ASSESSED = About(
    "draw",
    Assessment,
    "a mutant of results/assessment/assessed_form.csv",
    "Correct the cell. This form holds mutants of the study's own operators.",
)
OF_CASES = About(
    "bias",
    CaseAssessment,
    "a case of this study: a mutant that changed an outcome",
    "Correct the cell. Cases of another study, or of this one before it changed, can only be read "
    "with its configuration and data.",
)


def read_answers(
    about: About[Said], paths: Sequence[Path], *, known: Collection[str]
) -> list[Answers[Said]]:
    """Return the answers of each reader on the mutants `known`, given the CSV files of all readers.

    Files about something else are left aside, and mutants without an answer to each question.
    Raises `InputError` for two files of one name, a missing column, a mutant that is not known or
    that the file has twice, and an answer other than yes or no.
    """
    own = [path for path in paths if _column(path) == about.column]
    _check_names(own)
    return [Answers(path.stem, _assessments(path, about, known=known)) for path in own]


def _column(path: Path) -> str:
    columns = {column for _, row in read_rows(path) for column in row}
    return next((about.column for about in (OF_ASSESSED, OF_CASES) if about.column in columns), "")


def _check_names(paths: Sequence[Path]) -> None:
    names = [path.stem for path in paths]
    for path in paths:
        if names.count(path.stem) > 1:
            raise InputError(
                where="configuration, key 'assessment.answers'",
                found=f"two files named '{path.name}'",
                expected="a file per reader, named for the reader",
                fix="Rename one of them.",
            )


def _assessments(path: Path, about: About[Said], *, known: Collection[str]) -> dict[str, Said]:
    questions: tuple[str, ...] = about.asked._fields
    seen: set[str] = set()
    assessments = {}
    for place, cells in read_rows(path):
        row = Cells(place, cells, columns=["mutant_id", *questions])
        mutant_id = row["mutant_id"]
        if mutant_id not in known:
            raise row.error("mutant_id", expected=about.expected, fix=about.fix)
        if mutant_id in seen:
            raise row.error("mutant_id", expected="every mutant once", fix="Remove one of the two.")
        seen.add(mutant_id)
        answers = [row.choose(name, ANSWERS) if row[name] else None for name in questions]
        if None not in answers:
            assessments[mutant_id] = about.asked(*map(bool, answers))
    return assessments


def telling(
    assessed: Sequence[AssessedMutant], *, operators: Sequence[str]
) -> list[AssessedMutant]:
    """Return the assessed mutants that tell of a study's, by its operators."""
    return [mutant for mutant in assessed if mutant.tells in operators]


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
    operators: Sequence[str],
) -> list[AssessedMutant]:
    """Return the assessed mutants with the answers of people on those that tell of a study's.

    Where there are any, the others of these that nobody has read are left out; those that were
    read stand for them, too, in their stratum. All mutants of other draws and halves stay.
    """
    asked = telling(assessed, operators=operators)
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
