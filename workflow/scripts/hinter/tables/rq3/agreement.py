"""How far two that judge the same mutants agree."""

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

from sklearn.metrics import cohen_kappa_score


class Agreement(NamedTuple):
    """On which share two say the same, and Cohen's kappa, null where both always say the same.

    Both are null where there is nothing to judge.
    """

    share: float
    kappa: float


def count_agreement(cells: Sequence[int]) -> Agreement:
    """Return the agreement of two yes-no judges.

    `cells` count what both say yes to, the first only, the second only, and neither.
    """
    both, first, second, neither = cells
    n = sum(cells)
    if not n:
        return Agreement(nan, nan)
    # Kappa is undefined where both say the same of everything.
    if n in (both, neither):
        return Agreement(1.0, nan)
    kappa = cohen_kappa_score(
        [1, 1, 0, 0], [1, 0, 1, 0], sample_weight=[both, first, second, neither]
    )
    return Agreement((both + neither) / n, float(kappa))


def agreement_of(first: Sequence[bool], second: Sequence[bool]) -> Agreement:
    """Return the agreement of two that judge the same, one after the other."""
    said = list(zip(first, second, strict=True))
    return count_agreement(
        [said.count(cell) for cell in ((True, True), (True, False), (False, True), (False, False))]
    )
