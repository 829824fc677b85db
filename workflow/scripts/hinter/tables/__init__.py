"""The study's tables: each a relation over the result files, written as CSV, Markdown and LaTeX."""

from .accuracy import show_accuracy, tabulate_accuracy
from .answers import show_answers, tabulate_answers
from .atomic_mutants import show_atomic_mutants, tabulate_atomic_mutants
from .cases import tabulate_hidden_cases
from .comparator_validity import show_comparator_validity, tabulate_comparator_validity
from .comparators import show_comparators, tabulate_comparators
from .corrected import show_corrected_rates, tabulate_corrected_rates
from .discarded import show_discarded, tabulate_discarded
from .discarded_runs import describe_left_out
from .exposure import CAMPAIGNS, show_exposure, tabulate_exposure
from .false_positives import show_false_positives, tabulate_false_positives
from .grammar import show_grammar, tabulate_grammar
from .groups_bias import show_groups_bias, tabulate_groups_bias
from .judged import describe_comparator_validity, describe_judgments
from .lattice import show_lattice, tabulate_lattice
from .model_comparison import show_model_comparison, tabulate_model_comparison
from .mutants import show_mutants, tabulate_mutants
from .noise import show_noise, tabulate_noise
from .nothing import WHY_EMPTY
from .originals import show_biased_originals, tabulate_biased_originals
from .rates import show_bias_rates, tabulate_bias_rates
from .shares import with_share
from .sources import read_parts
from .training import show_training, tabulate_training
from .truth_table import show_truth_table, tabulate_truth_table
from .validity import show_validity, tabulate_validity
from .volume import describe_false_positives
from .warned import write_rates
from .warnings import tabulate_warnings
from .writing import TableFiles, percent, write_table

__all__ = [
    "CAMPAIGNS",
    "WHY_EMPTY",
    "TableFiles",
    "describe_comparator_validity",
    "describe_false_positives",
    "describe_judgments",
    "describe_left_out",
    "percent",
    "read_parts",
    "show_accuracy",
    "show_answers",
    "show_atomic_mutants",
    "show_bias_rates",
    "show_biased_originals",
    "show_comparator_validity",
    "show_comparators",
    "show_corrected_rates",
    "show_discarded",
    "show_exposure",
    "show_false_positives",
    "show_grammar",
    "show_groups_bias",
    "show_lattice",
    "show_model_comparison",
    "show_mutants",
    "show_noise",
    "show_training",
    "show_truth_table",
    "show_validity",
    "tabulate_accuracy",
    "tabulate_answers",
    "tabulate_atomic_mutants",
    "tabulate_bias_rates",
    "tabulate_biased_originals",
    "tabulate_comparator_validity",
    "tabulate_comparators",
    "tabulate_corrected_rates",
    "tabulate_discarded",
    "tabulate_exposure",
    "tabulate_false_positives",
    "tabulate_grammar",
    "tabulate_groups_bias",
    "tabulate_hidden_cases",
    "tabulate_lattice",
    "tabulate_model_comparison",
    "tabulate_mutants",
    "tabulate_noise",
    "tabulate_training",
    "tabulate_truth_table",
    "tabulate_validity",
    "tabulate_warnings",
    "with_share",
    "write_rates",
    "write_table",
]
