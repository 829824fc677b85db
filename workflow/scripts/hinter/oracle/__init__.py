"""The metamorphic oracle: the suite, and which of its mutants are biased and hidden."""

from .limits import limit_suite
from .suite import WRITTEN_SUITE_SCHEMA, select_suite
from .verdicts import VERDICTS_SCHEMA, judge_mutants
