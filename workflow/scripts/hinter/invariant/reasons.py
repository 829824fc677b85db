"""The reasons for which mutants are discarded."""

from enum import IntEnum


class Reason(IntEnum):
    """The check on a sentence or a mutant; all but `VALID` are written as the mutant's reason.

    `UNCHECKED`: neither valid nor discarded, because a sentence is longer than the limit. Greater
    values discard.
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
