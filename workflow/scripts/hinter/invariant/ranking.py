"""Codes as numbers of which the least is the mutant's.

A mutant's check is that of its failing sentence with fewest replaced terms, and of these of the
first in the text. So a sentence with several terms need not be parsed where a part of the mutant
fails already.
"""

import numpy as np
import numpy.typing as npt

from .reasons import Reason

Codes = npt.NDArray[np.int8]
Ranks = npt.NDArray[np.int64]

_CODE_BITS = 3
_CODE = (1 << _CODE_BITS) - 1
SENTENCE_COUNT = int(Reason.SENTENCE_COUNT)
# Above the ranks of all failing sentences, and that of an unchecked one below that of a valid one.
VALID = (1 << 61) + Reason.VALID
_UNCHECKED = (1 << 60) + Reason.UNCHECKED


def ranks_of(codes: Codes, *, terms: int, position: int) -> Ranks:
    """Return the ranks of codes of one sentence, of which so many terms are replaced.

    Cells that nothing depends on count as passed: their mutants fail in another sentence.
    """
    failing = (((terms << 32) + position) << _CODE_BITS) + codes.astype(np.int64)
    passed = np.where(codes == Reason.UNCHECKED, _UNCHECKED, VALID)
    return np.where(codes > Reason.UNCHECKED, failing, passed)


def codes_of(ranks: Ranks) -> Codes:
    """Return the codes behind ranks."""
    return (ranks & _CODE).astype(np.int8)
