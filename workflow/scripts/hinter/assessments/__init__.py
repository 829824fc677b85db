"""Mutants assessed by a reader, and the checks of each comparator on them."""

from .answers import (
    About,
    Answers,
    answers_about,
    is_tied,
    majority,
    read_answers,
    read_assessed_answers,
    read_case_answers,
    read_form,
    said_of,
    telling,
    with_people,
)
from .checking import ASSESSED_SCHEMA, check_assessed
from .drawing import draw_mutants
from .form import (
    CASE_COLUMNS,
    FORM_COLUMNS,
    READER_COLUMNS,
    Item,
    assessed_items,
    form_page,
    item_of,
    read_questions,
    write_form,
    write_page,
)
from .reading import STRATA, AssessedMutant, Assessment, CaseAssessment, read_assessed
