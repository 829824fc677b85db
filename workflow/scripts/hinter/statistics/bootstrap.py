"""The cluster bootstrap of a proportion."""

from collections.abc import Sequence
from math import nan

import numpy as np
import numpy.typing as npt
from scipy.stats import bootstrap


def cluster_bootstrap(
    successes: Sequence[int],
    trials: Sequence[int],
    *,
    seed: int,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> tuple[float, float]:
    """Return the percentile interval of sum(successes) / sum(trials), resampling whole clusters.

    `successes[i]` of `trials[i]` belong to cluster i (here: the mutants of one original), so
    outcomes that go together inside a cluster widen the interval as they should (Field and Welsh
    2007). (nan, nan) for fewer than two clusters.
    """
    if len(trials) < 2:
        return nan, nan
    result = bootstrap(
        (np.asarray(successes), np.asarray(trials)),
        _ratio,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        # All at once would take gigabytes for tens of thousands of clusters.
        batch=100,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def _ratio(
    successes: npt.NDArray[np.int64], trials: npt.NDArray[np.int64], axis: int
) -> npt.NDArray[np.float64]:
    ratio: npt.NDArray[np.float64] = successes.sum(axis=axis) / trials.sum(axis=axis)
    return ratio
