"""The annotations of mutants by people, and how they replace those of language models."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..corpora import read_rows
from ..errors import InputError
from ..lines import check_columns
from .assessed_mutants import ASKED, ASKED_OF_CASES, AssessedMutant, Assessment


class Answers(NamedTuple):
    """An annotator, named after the file, and the annotations by mutant_id."""

    annotator: str
    assessments: Mapping[str, Assessment]


def read_form(path: Path) -> dict[str, str]:
    """Return the dataset of each mutant in the CSV file of a form, by its mutant_id."""
    return {row["mutant_id"]: row["dataset"] for _, row in read_rows(path)}


class About(NamedTuple):
    """The subject of answers, by the `column` that only their files have, and the `questions`.

    The error for any other mutant says what was `expected`, and how to `fix` it.
    """

    column: str
    questions: Sequence[str]
    expected: str
    fix: str


OF_FORM = About(
    "",
    ASKED,
    "a mutant of results/assessment/form.csv",
    "Correct the cell. If the study has changed since the form was handed out, its answers can "
    "only be read with the configuration and data of that time.",
)
OF_ASSESSED = About(
    "sample",
    ASKED,
    "a mutant of results/assessment/assessed_form.csv",
    "Correct the cell. This form has mutants of the study's own operators.",
)
OF_CASES = About(
    "bias",
    ASKED_OF_CASES,
    "a case of this study: a mutant that changed an outcome",
    "Correct the cell. Cases of another study, or of this one before it changed, can only be read "
    "with its configuration and data.",
)


def read_answers(about: About, paths: Sequence[Path], *, known: Collection[str]) -> list[Answers]:
    """Return the answers of each annotator on the `known` mutants, given the CSV files of all.

    Files about other subjects are skipped, and so are mutants without an answer to each question.
    Raises `InputError` for two files with the same name, a missing column, a mutant that is unknown
    or occurs twice in a file, and an answer other than yes or no.
    """
    own = [path for path in paths if _column(path) == about.column]
    names = Counter(path.stem for path in own)
    for path in own:
        if names[path.stem] > 1:
            raise InputError(
                where="configuration, key 'assessment.answers'",
                found=f"two files named '{path.name}'",
                expected="a file per annotator, with their name",
                fix="Rename one of them.",
            )
    return [Answers(path.stem, _assessments(path, about, known=known)) for path in own]


def _column(path: Path) -> str:
    columns = {column for _, row in read_rows(path) for column in row}
    return next((about.column for about in (OF_ASSESSED, OF_CASES) if about.column in columns), "")


def _assessments(path: Path, about: About, *, known: Collection[str]) -> dict[str, Assessment]:
    found: dict[str, Assessment | None] = {}
    for location, row in read_rows(path):
        columns = ["mutant_id", *about.questions]
        check_columns(row, columns=columns, location=location, fix="Add it to the file.")
        mutant_id = row["mutant_id"]
        wrong = partial(_wrong, row, location=location)
        if mutant_id not in known:
            raise wrong("mutant_id", expected=about.expected, fix=about.fix)
        if mutant_id in found:
            raise wrong("mutant_id", expected="every mutant once", fix="Remove one of the two.")
        for question in about.questions:
            if row[question] not in ("yes", "no", ""):
                raise wrong(question, expected="yes or no", fix="Correct the cell.")
        answers = [row[question] for question in about.questions]
        is_yes = (answer == "yes" for answer in answers)
        found[mutant_id] = Assessment(*is_yes) if all(answers) else None
    return {mutant_id: said for mutant_id, said in found.items() if said is not None}


def _wrong(
    row: Mapping[str, str], column: str, *, location: str, expected: str, fix: str
) -> InputError:
    found = f"'{row[column]:.200}'"
    return InputError(
        where=f"{location}, column '{column}'", found=found, expected=expected, fix=fix
    )


def assessed_about(
    assessed: Sequence[AssessedMutant], *, operators: Sequence[str]
) -> list[AssessedMutant]:
    """Return the annotated mutants that are evidence on those of a study, by its operators."""
    return [mutant for mutant in assessed if mutant.about_operator in operators]


def said_of(mutant_id: str, annotators: Sequence[Answers]) -> list[Assessment]:
    """Return the annotations of a mutant by those annotators who answered."""
    return [
        annotator.assessments[mutant_id]
        for annotator in annotators
        if mutant_id in annotator.assessments
    ]


def majority(said: Sequence[Assessment]) -> Assessment:
    """Return the majority answer to each question about a mutant; a tie counts as no."""
    return Assessment(*(2 * yes > len(said) for yes in _agreeing(said)))


def is_tied(said: Sequence[Assessment]) -> bool:
    """Return whether as many annotators of a mutant say yes as no to either question."""
    return any(2 * yes == len(said) for yes in _agreeing(said))


def _agreeing(said: Sequence[Assessment]) -> list[int]:
    """Return how many annotators of a mutant say yes to each question."""
    return [sum(getattr(one, question) for one in said) for question in ASKED]


def with_people(
    assessed: Sequence[AssessedMutant], annotators: Sequence[Answers], *, operators: Sequence[str]
) -> list[AssessedMutant]:
    """Return the annotated mutants, with people's answers on those that are evidence on a study's.

    If people answered on any of these, the others of these are left out, and the answered ones of
    their stratum stand for them as well. All mutants of other samples and halves are kept.
    """
    asked = assessed_about(assessed, operators=operators)
    said = {mutant.mutant_id: said_of(mutant.mutant_id, annotators) for mutant in asked}
    read = [mutant for mutant in asked if said[mutant.mutant_id]]
    if not read:
        return list(assessed)
    sampled, left = (Counter(map(_stratum, mutants)) for mutants in (asked, read))
    answered = [
        replace(
            mutant,
            final=majority(said[mutant.mutant_id]),
            people=len(said[mutant.mutant_id]),
            weight=mutant.weight * sampled[_stratum(mutant)] / left[_stratum(mutant)],
        )
        for mutant in read
    ]
    replaced = set(map(_key, asked))
    others = [mutant for mutant in assessed if _key(mutant) not in replaced]
    return sorted([*others, *answered], key=_key)


def _key(mutant: AssessedMutant) -> tuple[str, str]:
    return mutant.sample, mutant.mutant_id


def _stratum(mutant: AssessedMutant) -> tuple[str, str, str]:
    return mutant.sample, mutant.dataset, mutant.stratum
