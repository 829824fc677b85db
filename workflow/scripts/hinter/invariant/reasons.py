"""Why a mutant is discarded."""

from enum import IntEnum

from .comparison import tolerantly_equal
from .parsing import Parse


class Reason(IntEnum):
    """The first check that a mutant fails; `VALID` where it fails none."""

    VALID = 0
    SENTENCE_COUNT = 1
    POS = 2
    DEP = 3


def sentence_reason(original: Parse, mutated: Parse) -> Reason:
    """Return what Algorithm 2 (lines 14-21) says of one mutated sentence."""
    if not tolerantly_equal(original.tags, mutated.tags):
        return Reason.POS
    if not tolerantly_equal(original.labels, mutated.labels):
        return Reason.DEP
    return Reason.VALID
