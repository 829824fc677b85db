"""The false discovery rate of a family of comparisons."""

from collections.abc import Sequence

import numpy as np
import scipy  # which loads scipy.stats when it is first used

from .arrays import Numbers


def q_values(p_values: Sequence[float]) -> Numbers:
    """Return the Benjamini-Hochberg adjusted p-values, nan where there is no p-value.

    If all comparisons with a q-value of at most q are called discoveries, the expected share of
    false ones is at most q (Benjamini and Hochberg 1995,
    doi:10.1111/j.2517-6161.1995.tb02031.x), for independent and for positively dependent tests.
    """
    adjusted = np.asarray(p_values, dtype=float).copy()
    known = ~np.isnan(adjusted)
    if known.any():
        adjusted[known] = scipy.stats.false_discovery_control(adjusted[known], method="bh")
    return adjusted
