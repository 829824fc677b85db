"""Scores of labels: log-odds, rounded so that the noise of batching does not change them.

The log-odds of a label with probability p are log(p / (1 - p)). Above 0, it is likelier than not.
They are rounded down to hundredths, so that signs remain exact, and to tenths below `TAIL`. A score
closer to the edge of a step than the noise must be computed again, in higher precision.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]

PER_UNIT = 100
"""Rounded scores are stored as whole hundredths."""
TAIL = -5.0
"""Nearly all of a hundred labels are less likely than this (0.7 %). With coarse steps there, their
scores are rarely near an edge."""


def lead(scores: Scores) -> Scores:
    """Return the margin of the best score of each row over the next one; shape (rows, labels)."""
    second, first = np.sort(scores, axis=1)[:, -2:].T
    ahead: Scores = first - second
    return ahead


def log_odds(scores: Scores) -> Scores:
    """Return the log-odds of labels of which one applies, shape (rows, labels).

    `scores` are log-probabilities up to a constant per row, such as logits.
    """
    rows, top = np.arange(len(scores)), scores.argmax(axis=1)
    gaps = scores - scores[rows, top, None]
    # Add up the other labels than the likeliest one: 1 - p would lose their digits.
    shares = np.exp(gaps)
    shares[rows, top] = 0
    rest = shares.sum(axis=1)
    others = 1 + rest[:, None] - shares
    others[rows, top] = np.maximum(rest, np.finfo(float).tiny)
    odds: Scores = gaps - np.log(others)
    return odds


def in_hundredths(odds: Scores) -> npt.NDArray[np.int64]:
    """Return log-odds rounded down, in whole hundredths."""
    steps = _steps(odds)
    return (steps * np.floor(odds * PER_UNIT / steps)).astype(np.int64)


def near_edge(odds: Scores, *, noise: float) -> npt.NDArray[np.bool_]:
    """Return which rows have a score that noise of this size (in log-odds) could change."""
    steps = _steps(odds)
    places = odds * PER_UNIT / steps
    from_edge = np.abs(places - np.rint(places)) * steps / PER_UNIT
    near: npt.NDArray[np.bool_] = from_edge.min(axis=1) < noise
    return near


def by_label(labels: Sequence[str], hundredths: Iterable[int]) -> dict[str, float]:
    """Return scores by label, from those of `labels` in whole hundredths."""
    return {label: score / PER_UNIT for label, score in zip(labels, hundredths, strict=True)}


def _steps(odds: Scores) -> npt.NDArray[np.int64]:
    """Return the size of each score's step in hundredths."""
    return np.where(odds < TAIL, PER_UNIT // 10, 1)
