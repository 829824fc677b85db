"""Mutants assessed by a reader, and the checks of each comparator on them."""

from .answers import Answers, read_answers, read_form
from .checking import ASSESSED_SCHEMA, check_assessed
from .drawing import draw_mutants
from .form import Item, form_page, item_of, write_form
from .reading import STRATA, TELLING, AssessedMutant, Assessment, read_assessed

__all__ = [
    "ASSESSED_SCHEMA",
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
    "write_form",
]
