"""The answers of people who have read the mutants of a form."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..corpora import read_rows
from ..errors import InputError
from .cells import Cells
from .reading import ANSWERS, Assessment


class Answers(NamedTuple):
    """A reader, named like the file, and the assessments by mutant_id."""

    reader: str
    assessments: Mapping[str, Assessment]


def read_form(path: Path) -> dict[str, str]:
    """Return the dataset of each mutant in the CSV file of a form, by mutant_id."""
    return {row["mutant_id"]: row["dataset"] for _, row in read_rows(path)}


def read_answers(paths: Sequence[Path], *, form: Mapping[str, str]) -> list[Answers]:
    """Return the answers of each reader, given the filled in `form` of each as a CSV file.

    A mutant without both answers is left out. Raises `InputError` for two files of one name, a
    missing column, a mutant that the form does not have or the file has twice, and an answer other
    than yes or no.
    """
    _check_names(paths)
    return [Answers(path.stem, _assessments(path, form=form)) for path in paths]


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


def _assessments(path: Path, *, form: Mapping[str, str]) -> dict[str, Assessment]:
    seen: set[str] = set()
    assessments = {}
    for place, cells in read_rows(path):
        row = Cells(place, cells, columns=["mutant_id", *Assessment._fields])
        mutant_id = row["mutant_id"]
        _check_mutant(row, form=form, seen=seen)
        seen.add(mutant_id)
        answers = [_answer(row, question) for question in Assessment._fields]
        if None not in answers:
            assessments[mutant_id] = Assessment(*map(bool, answers))
    return assessments


def _check_mutant(row: Cells, *, form: Mapping[str, str], seen: set[str]) -> None:
    if row["mutant_id"] not in form:
        raise row.error(
            "mutant_id",
            expected="a mutant of results/assessment/form.csv",
            fix="Correct the cell. If the study has changed since the form was handed out, answers "
            "to it can only be read with the configuration and data of that time.",
        )
    if row["mutant_id"] in seen:
        raise row.error("mutant_id", expected="every mutant once", fix="Remove one of the two.")


def _answer(row: Cells, question: str) -> bool | None:
    return row.choose(question, ANSWERS) if row[question] else None
