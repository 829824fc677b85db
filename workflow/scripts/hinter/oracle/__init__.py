"""The metamorphic oracle: the suite of mutants, and which are biased and whose bias is hidden."""

from .suite import WRITTEN_SUITE_SCHEMA, limit_suite, select_suite
from .verdicts import VERDICTS_SCHEMA, judge_mutants
