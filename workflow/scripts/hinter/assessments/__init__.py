"""Mutants assessed by a reader, and the checks of each comparator on them."""

from .checking import ASSESSED_SCHEMA, check_assessed
from .reading import DRAW_OF, STRATA, AssessedMutant, Assessment, read_assessed

__all__ = [
    "ASSESSED_SCHEMA",
    "DRAW_OF",
    "STRATA",
    "AssessedMutant",
    "Assessment",
    "check_assessed",
    "read_assessed",
]
