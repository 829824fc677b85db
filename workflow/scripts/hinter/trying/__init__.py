"""Print directly in the terminal what a study finds in texts, and whether its models work."""

from .answers import read_tried, try_texts
from .beginning import begin_study
from .estimates import expect_mutants
from .model_checks import check_models
from .mutants import write_mutants
from .results import show_tried
from .texts import show_expected, show_read
