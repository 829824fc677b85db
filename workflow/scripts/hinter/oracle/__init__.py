"""The metamorphic oracle: bias, hidden bias by exact pairs, and the suite it is asked about."""

from .suite import select_suite
from .verdicts import judge_mutants

__all__ = ["judge_mutants", "select_suite"]
