"""Mutants as files: listed, counted exactly, or sampled if an order has too many to list."""

from .comparing import COMPARATORS_SCHEMA, check_recipes, compare_mutants, compare_suite
from .listing import COUNTS_SCHEMA, MUTANTS_SCHEMA, SUITE_SCHEMA, count_mutants, list_orders
from .making import OCCURRENCES_SCHEMA, Making, list_rulings, open_making
from .sampling import SAMPLE_SCHEMA, MutantSample, merge_samples
