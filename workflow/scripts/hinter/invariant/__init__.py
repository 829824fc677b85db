"""The dependency invariant (Algorithm 2): which mutants keep the original's structure."""

from .comparison import tolerantly_equal
from .engine import Verdicts, check_block
from .mutants_table import MUTANTS_SCHEMA, mutants_table
from .parsing import Parse, Parser
from .reasons import Reason, sentence_reason
from .splitting import split_sentences

__all__ = [
    "MUTANTS_SCHEMA",
    "Parse",
    "Parser",
    "Reason",
    "Verdicts",
    "check_block",
    "mutants_table",
    "sentence_reason",
    "split_sentences",
    "tolerantly_equal",
]
