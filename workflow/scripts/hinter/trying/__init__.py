"""Print directly in the terminal what a study finds in texts, and whether its models work."""

from .asking import try_texts
from .beginning import begin_study
from .checking import check_models
from .expecting import expect_mutants
from .mutating import write_mutants
from .reading import read_tried
from .showing import show_tried
from .showing_texts import show_expected, show_read
