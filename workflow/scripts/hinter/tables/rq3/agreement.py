"""How often two raters of the same mutants agree."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...statistics import Interval, bootstrap_kappa, cohen_kappa, divide

CELLS = ((True, True), (True, False), (False, True), (False, False))


class Agreement(NamedTuple):
    """The share on which two raters agree, and Cohen's kappa.

    Kappa is nan if both always give the same answer, and both are nan if nothing was rated.
    """

    share: float
    kappa: float


def count_agreement(cells: Sequence[int]) -> Agreement:
    """Return the agreement of two raters who answer yes or no.

    `cells` count the cases in which both say yes, only the first, only the second, and neither.
    """
    both, *_, neither = counted = np.array(cells, dtype=float)
    share = divide(both + neither, counted.sum())
    return Agreement(float(share), float(cohen_kappa(*counted)))


def agreement_of(first: Sequence[bool], second: Sequence[bool]) -> Agreement:
    """Return the agreement of two raters, given their answers on the same cases in one order."""
    said = list(zip(first, second, strict=True))
    return count_agreement([said.count(cell) for cell in CELLS])


def kappa_interval(
    first: Sequence[bool], second: Sequence[bool], *, clusters: Sequence[str], seed: int
) -> Interval:
    """Return the 95 % cluster bootstrap of kappa; `clusters` names the original of each case."""
    by_cluster = defaultdict[str, list[tuple[bool, bool]]](list)
    for cluster, *said in zip(clusters, first, second, strict=True):
        by_cluster[cluster].append((said[0], said[1]))
    cells = [[said.count(cell) for cell in CELLS] for said in by_cluster.values()]
    return bootstrap_kappa(cells, seed=seed)
