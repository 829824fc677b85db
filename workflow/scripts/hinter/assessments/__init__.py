"""Mutants assessed by a reader, and the checks of each comparator on them."""

from .answers import Answers, read_answers, read_form
from .checking import ASSESSED_SCHEMA, check_assessed
from .drawing import draw_mutants
from .form import FORM_COLUMNS, READER_COLUMNS, Item, form_page, item_of, read_questions, write_form
from .reading import STRATA, TELLING, AssessedMutant, Assessment, read_assessed

__all__ = [
    "ASSESSED_SCHEMA",
    "FORM_COLUMNS",
    "READER_COLUMNS",
    "STRATA",
    "TELLING",
    "Answers",
    "AssessedMutant",
    "Assessment",
    "Item",
    "check_assessed",
    "draw_mutants",
    "form_page",
    "item_of",
    "read_answers",
    "read_assessed",
    "read_form",
    "read_questions",
    "write_form",
]
