"""Controls: mutants with neutral edits, each matched to the mutant that it is compared with."""

from .making import ControlMaker
from .match import CONTROLS_SCHEMA, Match
from .matching import neutral_substituting
from .suites import join_controls, match_suite
