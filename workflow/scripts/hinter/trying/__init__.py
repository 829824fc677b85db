"""Print directly in the terminal what a study finds in texts, and whether its models work."""

from .answers import try_texts
from .beginning import begin_study
from .estimates import expect_mutants
from .inputs import read_tried
from .model_checks import check_models
from .mutants import write_mutants
from .results import show_tried
from .texts import show_expected, show_read
