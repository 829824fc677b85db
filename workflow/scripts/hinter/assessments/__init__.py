"""Annotated mutants, and the checks of each comparator on them."""

from .answers import (
    OF_ASSESSED,
    OF_CASES,
    OF_FORM,
    Answers,
    is_tied,
    majority,
    read_answers,
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
