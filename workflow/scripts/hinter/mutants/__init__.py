"""Mutants as files: listed, counted exactly, or sampled if an order has too many to list."""

from .comparing import COMPARATORS_SCHEMA, check_recipes, compare_mutants, compare_suite
from .counting import COUNTS_SCHEMA, count_mutants
from .listing import MUTANTS_SCHEMA, SUITE_SCHEMA, list_mutants, list_orders
from .making import Making, open_making
from .occurrences import OCCURRENCES_SCHEMA, list_rulings
from .sampling import SAMPLE_SCHEMA, MutantSample, merge_samples
