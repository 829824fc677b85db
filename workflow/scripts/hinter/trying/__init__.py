"""Print directly in the terminal what a study finds in texts, and whether its models work."""

from .answers import read_tried, try_texts, write_mutants
from .beginning import begin_study
from .estimates import expect_mutants, show_corpus, show_expected
from .model_checks import check_models
from .results import show_tried
