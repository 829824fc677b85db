"""Mutants assessed by a reader, and the checks of each comparator on them."""

from .answers import Answers, are_of_cases, read_answers, read_case_answers, read_form
from .checking import ASSESSED_SCHEMA, check_assessed
from .drawing import draw_mutants
from .form import (
    CASE_COLUMNS,
    FORM_COLUMNS,
    READER_COLUMNS,
    Item,
    form_page,
    item_of,
    read_questions,
    write_form,
)
from .reading import STRATA, TELLING, AssessedMutant, Assessment, CaseAssessment, read_assessed

__all__ = [
    "ASSESSED_SCHEMA",
    "CASE_COLUMNS",
    "FORM_COLUMNS",
    "READER_COLUMNS",
    "STRATA",
    "TELLING",
    "Answers",
    "AssessedMutant",
    "Assessment",
    "CaseAssessment",
    "Item",
    "are_of_cases",
    "check_assessed",
    "draw_mutants",
    "form_page",
    "item_of",
    "read_answers",
    "read_assessed",
    "read_case_answers",
    "read_form",
    "read_questions",
    "write_form",
]
