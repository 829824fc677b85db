"""Mutants judged by reading, and what the comparators of the invariant say of them."""

from .checking import VALIDITY_SCHEMA, check_judged
from .judgments import DATASET, STRATA, Judgment, Reading, read_judgments

__all__ = [
    "DATASET",
    "STRATA",
    "VALIDITY_SCHEMA",
    "Judgment",
    "Reading",
    "check_judged",
    "read_judgments",
]
