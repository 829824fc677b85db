"""Whether a paired difference is below a practical threshold, above it, or not yet known."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import ceil
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..statistics import Interval, Numbers, cluster_bootstrap, sign_flip_test, wilson_interval

BOUNDS = (-2.0, 2.0)
"""Each excess is a difference of two rates, and the candidate's is compared with the baseline's."""


class Outcome(StrEnum):
    """What the gate says."""

    PASS = "pass"
    FAIL = "fail"
    NOT_ENOUGH = "not enough evidence"


NOT_ENOUGH = Outcome.NOT_ENOUGH


class Decided(NamedTuple):
    """A row of the gate: excess bias of both models, their difference, and what it decides.

    `needed_originals` would decide where there is not enough evidence, if they are like those seen;
    it is None where no number would, and where the gate has decided.
    """

    n: int
    originals: int
    candidate_excess: float
    baseline_excess: float
    difference: float
    difference_low: float
    difference_high: float
    p_value: float
    outcome: Outcome
    needed_originals: int | None


def decide(
    sums: pd.DataFrame,
    *,
    datasets: Sequence[str],
    measures: Sequence[str],
    threshold: float,
    confidence: float,
    seed: int,
) -> pd.DataFrame:
    """Return a row per dataset and measure, with what the gate decides about it.

    `sums` are as `measure_differences` returns them. The candidate passes where the upper end of
    the interval of the difference is at most the threshold, and fails where the lower end is above.
    """
    rows = [
        {
            "dataset": dataset,
            "measure": measure,
            **decide_measure(
                sums[(sums["dataset"] == dataset) & (sums["measure"] == measure)],
                threshold=threshold,
                confidence=confidence,
                seed=seed,
            )._asdict(),
        }
        for dataset in datasets
        for measure in measures
    ]
    table = pd.DataFrame(rows, columns=["dataset", "measure", *Decided._fields]).round(6)
    return table.astype({"outcome": str, "needed_originals": "Int64"})


def decide_measure(
    sums: pd.DataFrame, *, threshold: float, confidence: float, seed: int
) -> Decided:
    """Return what the gate decides about one measure, given its sums by original."""
    counts = sums["n"].to_numpy(dtype=float)
    candidate, baseline = (sums[name].to_numpy(dtype=float) for name in ("candidate", "baseline"))
    differences, n = candidate - baseline, int(counts.sum())
    if not n:
        nothing = (np.nan,) * 6
        return Decided(0, 0, *nothing, NOT_ENOUGH, None)
    low, high = difference_interval(differences, counts, confidence=confidence, seed=seed)
    outcome = outcome_of((low, high), threshold=threshold)
    needed = needed_originals(differences, counts, threshold=threshold, confidence=confidence)
    return Decided(
        n=n,
        originals=len(counts),
        candidate_excess=candidate.sum() / n,
        baseline_excess=baseline.sum() / n,
        difference=differences.sum() / n,
        difference_low=low,
        difference_high=high,
        p_value=sign_flip_test(differences.tolist(), seed=seed),
        outcome=outcome,
        needed_originals=needed if outcome is NOT_ENOUGH else None,
    )


def difference_interval(
    differences: Numbers, counts: Numbers, *, confidence: float, seed: int
) -> Interval:
    """Return the interval of the difference, resampling originals.

    `differences[i]` and `counts[i]` belong to original i. Of a harm that few originals show, or
    none, resampling says too little, so the upper end also allows for more of these. (nan, nan) for
    a single original.
    """
    low, high = cluster_bootstrap(
        differences.tolist(), counts.tolist(), bounds=BOUNDS, seed=seed, confidence=confidence
    )
    return low, high + max(0.0, _with_more_harm(differences, counts, confidence=confidence) - high)


def _with_more_harm(differences: Numbers, counts: Numbers, *, confidence: float) -> float:
    """Return the difference if Wilson's upper end of the share of harmed originals were true."""
    found, harm = _harm(differences, counts)
    seen, mean = len(counts), float(differences.sum() / counts.sum())
    share = wilson_interval(found, seen, confidence=confidence)[1] - found / seen
    return mean + share * harm


def _harm(differences: Numbers, counts: Numbers) -> tuple[int, float]:
    """Return how many originals are harmed, and how far such a one is from 0.

    It is harmed like those seen or, where none is, as badly as can be.
    """
    harmed = differences > 0
    if not harmed.any():
        return 0, BOUNDS[1] - float(differences.sum() / counts.sum())
    return int(harmed.sum()), float(differences[harmed].mean() / counts.mean())


def outcome_of(interval: Interval, *, threshold: float) -> Outcome:
    """Return what an interval of the difference decides; one without ends decides nothing."""
    low, high = interval
    if high <= threshold:
        return Outcome.PASS
    return Outcome.FAIL if low > threshold else NOT_ENOUGH


def needed_originals(
    differences: Numbers, counts: Numbers, *, threshold: float, confidence: float
) -> int | None:
    """Return with how many originals the interval would leave the threshold to one side.

    This supposes that further originals are like those seen: with the same difference and, by the
    normal approximation, the same variance between them. The number is above that of those seen.
    Returns None for a single original, and where the difference is the threshold itself.
    """
    seen, mean = len(counts), float(differences.sum() / counts.sum())
    gap = threshold - mean
    if seen < 2 or abs(gap) < 1e-9:
        return None
    squared = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    deviations = (differences - mean * counts) / counts.mean()
    by_variance = squared * float(deviations @ deviations) / (seen - 1) / gap**2
    by_share = _by_share(differences, counts, gap=gap, squared=squared)
    return max(ceil(max(by_variance, by_share)), seen + 1)


def _by_share(differences: Numbers, counts: Numbers, *, gap: float, squared: float) -> float:
    """Return from how many originals on Wilson's share moves the mean by less than the gap.

    The share is that of harmed originals or, where all alike are above the threshold, of unseen
    ones. For Wilson's upper end u of a share p of n, n = z^2 u (1 - u) / (u - p)^2.
    """
    found, harm = _harm(differences, counts)
    share = found / len(counts)
    if gap < 0:
        if np.ptp(differences / counts) > 0:
            return 0.0
        share, harm = 0.0, BOUNDS[0] - float(differences.sum() / counts.sum())
    upper = share + gap / harm
    return squared * upper * (1 - upper) / (upper - share) ** 2 if upper < 1 else 0.0


def read_decided(path: str) -> pd.DataFrame:
    """Return the rows of the gate's CSV."""
    return pd.read_csv(path, dtype={"needed_originals": "Int64"})


def overall(outcomes: Iterable[str]) -> Outcome:
    """Return what several outcomes decide together: all must pass, and none may fail."""
    found = set(outcomes)
    if Outcome.FAIL in found:
        return Outcome.FAIL
    return Outcome.PASS if found == {Outcome.PASS} else NOT_ENOUGH
