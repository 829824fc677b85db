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
from .assessed_mutants import STRATA, AssessedMutant, Assessment, CaseAssessment
from .assessed_rows import read_assessed
from .comparators import ASSESSED_SCHEMA, check_assessed
from .form import (
    ANNOTATOR_COLUMNS,
    CASE_COLUMNS,
    FORM_COLUMNS,
    Item,
    assessed_items,
    form_page,
    item_of,
    read_questions,
    write_form,
    write_page,
)
from .sampling import sample_mutants
