"""The study's tables: each a relation over the result files, written as CSV, Markdown and LaTeX."""

from .accuracy import show_accuracy, tabulate_accuracy
from .answers import show_answers, tabulate_answers
from .cases import tabulate_hidden_cases
from .comparator_validity import show_comparator_validity, tabulate_comparator_validity
from .comparators import show_comparators, tabulate_comparators
from .corrected import show_corrected_rates, tabulate_corrected_rates
from .discarded import show_discarded, tabulate_discarded
from .false_positives import show_false_positives, tabulate_false_positives
from .grammar import show_grammar, tabulate_grammar
from .judged import describe_comparator_validity, describe_judgments
from .mutants import show_mutants, tabulate_mutants
from .noise import show_noise, tabulate_noise
from .originals import show_biased_originals, tabulate_biased_originals
from .rates import show_bias_rates, tabulate_bias_rates
from .sources import read_parts
from .training import show_training, tabulate_training
from .validity import show_validity, tabulate_validity
from .volume import describe_false_positives
from .writing import TableFiles, write_table

__all__ = [
    "TableFiles",
    "describe_comparator_validity",
    "describe_false_positives",
    "describe_judgments",
    "read_parts",
    "show_accuracy",
    "show_answers",
    "show_bias_rates",
    "show_biased_originals",
    "show_comparator_validity",
    "show_comparators",
    "show_corrected_rates",
    "show_discarded",
    "show_false_positives",
    "show_grammar",
    "show_mutants",
    "show_noise",
    "show_training",
    "show_validity",
    "tabulate_accuracy",
    "tabulate_answers",
    "tabulate_bias_rates",
    "tabulate_biased_originals",
    "tabulate_comparator_validity",
    "tabulate_comparators",
    "tabulate_corrected_rates",
    "tabulate_discarded",
    "tabulate_false_positives",
    "tabulate_grammar",
    "tabulate_hidden_cases",
    "tabulate_mutants",
    "tabulate_noise",
    "tabulate_training",
    "tabulate_validity",
    "write_table",
]
