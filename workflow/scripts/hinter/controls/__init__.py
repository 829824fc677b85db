"""Controls: mutants with neutral edits, each matched to the mutant that it is compared with."""

from .making import ControlMaker
from .matching import CONTROLS_SCHEMA, Match, of_neutral
from .suites import join_controls, match_suite
