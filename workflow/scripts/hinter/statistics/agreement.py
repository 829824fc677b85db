"""How often two raters agree, Cohen's kappa, and macro F1, with their cluster bootstraps."""

from collections import defaultdict
from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from .resampling import Interval, Numbers, Sums, divide, interval_of


def cohen_kappa(both: Numbers, first: Numbers, second: Numbers, neither: Numbers) -> Numbers:
    """Return kappa of each table of two answers; nan if both always give the same one.

    The quotient of observed and chance agreement (Cohen 1960, doi:10.1177/001316446002000104) with
    the number of cases cancelled, for many tables at once, as scikit-learn's takes one.
    """
    by_chance = (both + first) * (first + neither) + (both + second) * (second + neither)
    return divide(2 * (both * neither - first * second), by_chance)


def macro_f1(labels: Sequence[Sums]) -> float:
    """Return the mean F1 of the labels, each given by its `Sums` over texts; nan for none.

    The parts of a label are twice its true positives, the wholes how often it is expected plus how
    often it is found.
    """
    return float(np.mean([sum(parts) / sum(wholes) for parts, wholes in labels] or [np.nan]))


def bootstrap_macro_f1_difference(
    first: Sequence[Sums], second: Sequence[Sums], *, seed: int
) -> Interval:
    """Return the interval of the first macro F1 minus the second by giving texts random weights.

    Labels are given as to `macro_f1`. On texts that were not seen, either may get everything wrong
    that the other gets right.
    """

    def difference(*totals: Numbers) -> Numbers:
        scores = divide(np.stack(totals[::2]), np.stack(totals[1::2]))
        means: list[Numbers] = [
            np.nanmean(part, axis=0) for part in (scores[: len(first)], scores[len(first) :])
        ]
        return means[0] - means[1]

    table = np.array([column for label in (*first, *second) for column in label], dtype=float).T
    if len(table) < 2:
        return nan, nan
    usual = table[:, 1::2].mean(axis=0)
    rights = (np.arange(len(usual)) >= len(first)), (np.arange(len(usual)) < len(first))
    ends = [np.column_stack([right * usual, usual]).ravel() for right in rights]
    return interval_of(table, difference, ends=ends, seed=seed)


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
    """Return the 95 % interval of kappa by giving clusters random weights.

    `clusters` names the cluster (here: the original) of each case. In clusters that were not seen,
    raters may always or never agree (see `interval_of`). Returns (nan, nan) for fewer than two
    clusters, and if there is no kappa.
    """
    by_cluster = defaultdict[str, list[tuple[bool, bool]]](list)
    for cluster, *said in zip(clusters, first, second, strict=True):
        by_cluster[cluster].append((said[0], said[1]))
    if len(by_cluster) < 2:
        return nan, nan
    counts = [[said.count(cell) for cell in CELLS] for said in by_cluster.values()]
    half = len(first) / len(counts) / 2
    ends = [half * np.array([0, 1, 1, 0]), half * np.array([1, 0, 0, 1])]
    return interval_of(np.array(counts, dtype=float), cohen_kappa, ends=ends, seed=seed)
