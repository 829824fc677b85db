"""The reasons for which mutants are discarded, and their ranks.

A mutant has the lowest rank of its sentences: its check is that of its failing sentence with the
fewest replaced terms, or the first of several in the text. A sentence with several terms therefore
need not be parsed if the mutant fails in one with fewer terms.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt


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


Codes = npt.NDArray[np.int8]
Ranks = npt.NDArray[np.int64]

_CODE_BITS = 3
_CODE = (1 << _CODE_BITS) - 1
SENTENCE_COUNT = int(Reason.SENTENCE_COUNT)
# Both are above the ranks of all failing sentences; unchecked is below valid.
VALID = (1 << 61) + Reason.VALID
_UNCHECKED = (1 << 60) + Reason.UNCHECKED


def ranks_of(codes: Codes, *, terms: int, position: int) -> Ranks:
    """Return the ranks of a sentence's codes, given its number of replaced terms and its position.

    Cells that were never needed count as passed: their mutants fail in another sentence.
    """
    # From the highest bits to the lowest: number of terms, position of the sentence, code.
    failing = (((terms << 32) + position) << _CODE_BITS) + codes.astype(np.int64)
    passed = np.where(codes == Reason.UNCHECKED, _UNCHECKED, VALID)
    return np.where(codes > Reason.UNCHECKED, failing, passed)


def codes_of(ranks: Ranks) -> Codes:
    """Return the codes that ranks were made from."""
    return (ranks & _CODE).astype(np.int8)
