"""The answers of people who have read mutants, and their place among those of models."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from ..corpora import read_rows
from ..errors import InputError
from .cells import Cells
from .reading import ANSWERS, AssessedMutant, Assessment, CaseAssessment

Said = TypeVar("Said", Assessment, CaseAssessment)
OF_FORM = (
    "a mutant of results/assessment/form.csv",
    "Correct the cell. If the study has changed since the form was handed out, answers to it can "
    "only be read with the configuration and data of that time.",
)
OF_ASSESSED = (
    "a mutant of results/assessment/assessed_form.csv",
    "Correct the cell. This form holds mutants of the study's own operators.",
)
OF_CASES = (
    "a case of this study: a mutant that changed an outcome",
    "Correct the cell. Cases of another study, or of this one before it changed, can only be read "
    "with its configuration and data.",
)


class Answers(NamedTuple, Generic[Said]):
    """A reader, named like the file, and the assessments by mutant_id."""

    reader: str
    assessments: Mapping[str, Said]


def read_form(path: Path) -> dict[str, str]:
    """Return the dataset of each mutant in the CSV file of a form, by mutant_id."""
    return {row["mutant_id"]: row["dataset"] for _, row in read_rows(path)}


class About(Enum):
    """What answers are on, by the column that only such a file has."""

    FORM = ""
    ASSESSED = "draw"
    CASES = "bias"


def answers_about(about: About, paths: Sequence[Path]) -> list[Path]:
    """Return the CSV files of answers on mutants of a form, on assessed mutants, or on cases."""
    return [path for path in paths if _about(path) is about]


def _about(path: Path) -> About:
    columns = {column for _, row in read_rows(path) for column in row}
    return next((about for about in About if about.value in columns), About.FORM)


def read_answers(paths: Sequence[Path], *, form: Collection[str]) -> list[Answers[Assessment]]:
    """Return the answers of each reader, given the filled in `form` of each as a CSV file.

    A mutant without both answers is left out. Raises `InputError` for two files of one name, a
    missing column, a mutant that the form does not have or the file has twice, and an answer other
    than yes or no.
    """
    return _read(paths, Assessment, known=form, told=OF_FORM)


def read_assessed_answers(
    paths: Sequence[Path], *, assessed: Collection[str]
) -> list[Answers[Assessment]]:
    """Return the answers of each reader on `assessed` mutants (their ids), given each's file.

    A mutant without both answers is left out. Errors are those of `read_answers`.
    """
    return _read(paths, Assessment, known=assessed, told=OF_ASSESSED)


def read_case_answers(
    paths: Sequence[Path], *, cases: Collection[str]
) -> list[Answers[CaseAssessment]]:
    """Return the answers of each reader on `cases` (their mutant_ids), given the file of each.

    A case without all three answers is left out. Errors are those of `read_answers`.
    """
    return _read(paths, CaseAssessment, known=cases, told=OF_CASES)


def _read(
    paths: Sequence[Path], asked: type[Said], *, known: Collection[str], told: tuple[str, str]
) -> list[Answers[Said]]:
    _check_names(paths)
    return [Answers(path.stem, _assessments(path, asked, known=known, told=told)) for path in paths]


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


def _assessments(
    path: Path, asked: type[Said], *, known: Collection[str], told: tuple[str, str]
) -> dict[str, Said]:
    questions: tuple[str, ...] = asked._fields
    seen: set[str] = set()
    assessments = {}
    for place, cells in read_rows(path):
        row = Cells(place, cells, columns=["mutant_id", *questions])
        mutant_id = row["mutant_id"]
        _check_mutant(row, known=known, told=told, seen=seen)
        seen.add(mutant_id)
        answers = [row.choose(name, ANSWERS) if row[name] else None for name in questions]
        if None not in answers:
            assessments[mutant_id] = asked(*map(bool, answers))
    return assessments


def _check_mutant(
    row: Cells, *, known: Collection[str], told: tuple[str, str], seen: set[str]
) -> None:
    if row["mutant_id"] not in known:
        expected, fix = told
        raise row.error("mutant_id", expected=expected, fix=fix)
    if row["mutant_id"] in seen:
        raise row.error("mutant_id", expected="every mutant once", fix="Remove one of the two.")


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
