"""Decide whether a paired difference is below a practical threshold, above it, or undecided."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from ..statistics import Interval, Numbers, cluster_bootstrap, sign_flip_test

BOUNDS = (-2.0, 2.0)
"""The possible differences: each excess is between -1 and 1, and two are compared."""

MOST = 100_000
"""If more originals than this were needed, no number is reported."""


class Outcome(StrEnum):
    """The decision of the gate."""

    PASS = "pass"
    FAIL = "fail"
    NOT_ENOUGH = "not enough evidence"


NOT_ENOUGH = Outcome.NOT_ENOUGH


NUMBERS = (
    *("candidate_excess", "baseline_excess", "difference"),
    *("difference_low", "difference_high", "p_value"),
)
"""The numbers on which a decision is based, which are unknown without mutants."""


def decide(
    sums: pd.DataFrame,
    *,
    datasets: Sequence[str],
    measures: Sequence[str],
    threshold: float,
    confidence: float,
    seed: int,
) -> pd.DataFrame:
    """Return a row per dataset and measure: both excesses, their difference, and the decision.

    `sums` is the result of `measure_differences`. The candidate passes if the upper end of the
    interval of the difference is at most the threshold, and fails if the lower end is above it. If
    there is not enough evidence, `needed_originals` like the present ones would be enough. It is
    None if no number would be enough, and if the gate has decided.
    """
    rows = [
        {
            "dataset": dataset,
            "measure": measure,
            "controlled": bool(of_one["controlled"].all()),
            **decide_measure(of_one, threshold=threshold, confidence=confidence, seed=seed),
        }
        for dataset in datasets
        for measure in measures
        for of_one in (sums[(sums["dataset"] == dataset) & (sums["measure"] == measure)],)
    ]
    columns = ["dataset", "measure", "controlled", "n", "originals", *NUMBERS]
    columns += ["outcome", "needed_originals"]
    table = pd.DataFrame(rows, columns=columns).round(6)
    return table.astype({"outcome": str, "needed_originals": "Int64"})


def decide_measure(
    sums: pd.DataFrame, *, threshold: float, confidence: float, seed: int
) -> dict[str, Any]:
    """Return the decision of the gate about one measure, given its sums by original."""
    counts = sums["n"].to_numpy(dtype=float)
    candidate, baseline = (sums[name].to_numpy(dtype=float) for name in ("candidate", "baseline"))
    differences, n = candidate - baseline, int(counts.sum())
    if not n:
        nothing = dict.fromkeys(NUMBERS, np.nan)
        return {"n": 0, "originals": 0, **nothing, "outcome": NOT_ENOUGH, "needed_originals": None}
    low, high = difference_interval(differences, counts, confidence=confidence, seed=seed)
    outcome = outcome_of((low, high), threshold=threshold)
    return {
        "n": n,
        "originals": len(counts),
        "candidate_excess": candidate.sum() / n,
        "baseline_excess": baseline.sum() / n,
        "difference": differences.sum() / n,
        "difference_low": low,
        "difference_high": high,
        "p_value": sign_flip_test(differences.tolist(), seed=seed),
        "outcome": outcome,
        "needed_originals": needed_originals(
            differences, counts, threshold=threshold, confidence=confidence, seed=seed
        )
        if outcome is NOT_ENOUGH
        else None,
    }


def difference_interval(
    differences: Numbers, counts: Numbers, *, confidence: float, seed: int
) -> Interval:
    """Return the interval of the difference from resampled originals.

    `differences[i]` and `counts[i]` belong to original i. For a single original, it is (nan, nan).
    """
    return cluster_bootstrap(
        differences.tolist(), counts.tolist(), bounds=BOUNDS, seed=seed, confidence=confidence
    )


def outcome_of(interval: Interval, *, threshold: float) -> Outcome:
    """Return the decision by an interval of the difference; one without ends decides nothing."""
    low, high = interval
    if high <= threshold:
        return Outcome.PASS
    return Outcome.FAIL if low > threshold else NOT_ENOUGH


def needed_originals(
    differences: Numbers, counts: Numbers, *, threshold: float, confidence: float, seed: int
) -> int | None:
    """Return the number of originals with which the interval would exclude the threshold.

    This assumes that further originals are like the present ones, so it is a multiple of their
    number. Returns None for a single original, and if even `MOST` would not be enough.
    """

    def decided(times: int) -> bool:
        more = (np.tile(each, times) for each in (differences, counts))
        interval = difference_interval(*more, confidence=confidence, seed=seed)
        return outcome_of(interval, threshold=threshold) is not NOT_ENOUGH

    seen = len(counts)
    if seen < 2:
        return None
    times = range(2, MOST // seen + 1)
    needed = bisect_left(times, True, key=decided)
    return seen * times[needed] if needed < len(times) else None


def read_decided(path: str) -> pd.DataFrame:
    """Return the rows of the gate's CSV."""
    return pd.read_csv(path, dtype={"needed_originals": "Int64"})


def overall(outcomes: Iterable[str]) -> Outcome:
    """Return the common outcome: `FAIL` if one fails, `PASS` if all pass, else `NOT_ENOUGH`."""
    found = set(outcomes)
    if Outcome.FAIL in found:
        return Outcome.FAIL
    return Outcome.PASS if found == {Outcome.PASS} else NOT_ENOUGH
