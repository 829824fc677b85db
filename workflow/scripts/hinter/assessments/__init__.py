"""Annotated mutants, and the checks of each comparator on them."""

from .answers import (
    OF_ASSESSED,
    OF_CASES,
    OF_FORM,
    Answers,
    assessed_about,
    is_tied,
    majority,
    read_answers,
    read_form,
    said_of,
    with_people,
)
from .assessed_mutants import (
    ASKED,
    ASKED_OF_CASES,
    ASSESSED_SCHEMA,
    BLIND,
    AssessedMutant,
    Assessment,
    check_assessed,
)
from .assessed_rows import read_assessed, read_blind
from .form import CASE_COLUMNS, Item, assessed_items, read_questions, sample_mutants, write_form
