"""Why a mutant is discarded."""

from enum import IntEnum


class Reason(IntEnum):
    """What the check says of a sentence or a mutant; all but `VALID` go into the mutants file.

    `UNCHECKED`: neither valid nor discarded, because a sentence is longer than the limit.
    Greater values discard.
    """

    VALID = 0
    UNCHECKED = 1
    SENTENCE_COUNT = 2
    POS = 3
    DEP = 4

    @property
    def discards(self) -> bool:
        """Whether the mutant is discarded."""
        return self > Reason.UNCHECKED
