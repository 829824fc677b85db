"""The dependency invariant (Algorithm 2): which mutants keep the original's structure."""

from .annotating import Annotator
from .checks import Checks
from .comparators import Comparator, Reason, tolerantly_equal
from .engine import CheckedText, check_block
from .parsing import Capitals, Parse, Parser
from .sentence_checks import Invariant, KeptParses, SentenceChecker
from .splitting import split_sentences
from .store import CheckStore
from .whole_mutants import changed_sentences, check_mutants
