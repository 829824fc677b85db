"""The metamorphic oracle: bias, hidden bias by exact pairs, and the suite it is asked about."""

from .suite import select_suite
from .verdicts import VERDICTS_SCHEMA, judge_mutants

__all__ = ["VERDICTS_SCHEMA", "judge_mutants", "select_suite"]
