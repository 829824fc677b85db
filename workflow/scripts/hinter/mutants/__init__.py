"""Mutants as files: listed whole, counted exactly, or drawn where an order has too many."""

from .counting import COUNTS_SCHEMA, count_mutants
from .gathering import RowGroups, merge_samples, read_tables
from .listing import MUTANTS_SCHEMA, list_mutants, list_orders
from .sampling import SAMPLE_SCHEMA, MutantSample

__all__ = [
    "COUNTS_SCHEMA",
    "MUTANTS_SCHEMA",
    "SAMPLE_SCHEMA",
    "MutantSample",
    "RowGroups",
    "count_mutants",
    "list_mutants",
    "list_orders",
    "merge_samples",
    "read_tables",
]
