"""The study's tables: each a relation over the result files, written as CSV, Markdown and LaTeX."""

from .accuracy import show_accuracy, tabulate_accuracy
from .answers import show_answers, tabulate_answers
from .cases import tabulate_hidden_cases
from .comparators import show_comparators, tabulate_comparators
from .mutants import show_mutants, tabulate_mutants
from .noise import show_noise, tabulate_noise
from .originals import show_biased_originals, tabulate_biased_originals
from .rates import show_bias_rates, tabulate_bias_rates
from .sources import read_parts
from .training import show_training, tabulate_training
from .writing import TableFiles, write_table

__all__ = [
    "TableFiles",
    "read_parts",
    "show_accuracy",
    "show_answers",
    "show_bias_rates",
    "show_biased_originals",
    "show_comparators",
    "show_mutants",
    "show_noise",
    "show_training",
    "tabulate_accuracy",
    "tabulate_answers",
    "tabulate_bias_rates",
    "tabulate_biased_originals",
    "tabulate_comparators",
    "tabulate_hidden_cases",
    "tabulate_mutants",
    "tabulate_noise",
    "tabulate_training",
    "write_table",
]
