"""The metamorphic oracle: the suite of mutants, and which are biased and whose bias is hidden."""

from .limited_suite import limit_suite
from .suite import WRITTEN_SUITE_SCHEMA, select_suite
from .verdicts import VERDICTS_SCHEMA, judge_mutants
