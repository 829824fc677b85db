"""Arrays of numbers, and their division where the divisor may be 0."""

from math import nan

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


def divide(part: Numbers, whole: Numbers) -> Numbers:
    """Return part / whole, nan where the whole is 0."""
    ratio: Numbers = np.divide(part, whole, out=np.full(np.shape(part), nan), where=whole != 0)
    return ratio
