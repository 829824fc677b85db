"""Responses with labels and their scores, of local models or from a user's program.

A response is JSON of the outcome and the scores of labels. Without scores, it is the list of the
labels in the outcome. The output of a user's program is checked against the labels of a dataset.

Scores are log-odds: log(p / (1 - p)) for a label with probability p. Above 0, it is likelier than
not. They are rounded down to hundredths, so that signs remain exact, and to tenths below `TAIL`, so
that the noise of batching rarely changes them. A score closer to the edge of a step than the noise
must be computed again, in higher precision.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from .model import ParsedAnswer, Status

Scores = npt.NDArray[np.float64]

PER_UNIT = 100
"""Rounded scores are stored as whole hundredths."""
TAIL = -5.0
"""Nearly all of a hundred labels are less likely than this (0.7 %). With coarse steps there, their
scores are rarely near an edge."""


def lead(scores: Scores) -> Scores:
    """Return the margin of the best score of each row over the next one; shape (rows, labels)."""
    second, first = np.sort(scores, axis=1)[:, -2:].T
    return first - second


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
    return gaps - np.log(others)


def in_hundredths(odds: Scores) -> npt.NDArray[np.int64]:
    """Return log-odds rounded down, in whole hundredths."""
    steps = _steps(odds)
    return (steps * np.floor(odds * PER_UNIT / steps)).astype(np.int64)


def near_edge(odds: Scores, *, noise: float) -> npt.NDArray[np.bool_]:
    """Return which rows have a score that noise of this size (in log-odds) could change."""
    steps = _steps(odds)
    places = odds * PER_UNIT / steps
    from_edge = np.abs(places - np.rint(places)) * steps / PER_UNIT
    return from_edge.min(axis=1) < noise


def odds_of(logits: Scores, *, multi_label: bool) -> Scores:
    """Return the log-odds of labels from their logits, shape (rows, labels)."""
    return logits if multi_label else log_odds(logits)


def best_labels(logits: Scores, labels: Sequence[str], *, multi_label: bool) -> list[str]:
    """Return the label with the best of some logits, shape (labels,), or all with at least 0."""
    best = np.flatnonzero(logits >= 0) if multi_label else [logits.argmax()]
    return [labels[int(position)] for position in best]


def close_rows(
    logits: Scores, *, margin: float, noise: float | None, multi_label: bool = False
) -> list[int]:
    """Return the rows in which an outcome is decided by less than a margin, or is not finite.

    If there is `noise` in log-odds, also those with a rounded score that it could change.
    """
    margins = np.abs(logits).min(axis=1) if multi_label else lead(logits)
    # Half precision may overflow.
    close = (margins < margin) | ~np.isfinite(logits).all(axis=1)
    if noise is not None:
        close |= near_edge(odds_of(logits, multi_label=multi_label), noise=noise)
    return np.flatnonzero(close).tolist()


def by_label(labels: Sequence[str], hundredths: Iterable[int]) -> dict[str, float]:
    """Return scores by label, from those of `labels` in whole hundredths."""
    return {label: score / PER_UNIT for label, score in zip(labels, hundredths, strict=True)}


def _steps(odds: Scores) -> npt.NDArray[np.int64]:
    """Return the size of each score's step in hundredths."""
    return np.where(odds < TAIL, PER_UNIT // 10, 1)


def labelled_response(outcome: Sequence[str], odds: Scores | None) -> str:
    """Return the response with an outcome and, if they are kept, the labels' log-odds (labels,)."""
    if odds is None:
        return json.dumps(outcome)
    document = {"outcome": outcome, "scores": in_hundredths(odds).tolist()}
    return json.dumps(document, separators=(",", ":"))


def read_labelled(response: str, *, labels: Sequence[str]) -> ParsedAnswer:
    """Return the meaning of a response; its scores are those of `labels`, in this order."""
    document = json.loads(response)
    if isinstance(document, list):
        return ParsedAnswer(Status.OK, tuple(document))
    scores = by_label(labels, document["scores"])
    return ParsedAnswer(Status.OK, tuple(document["outcome"]), scores=scores)


def check_numbers(scores: Scores, *, folder: Path) -> None:
    """Raise `InputError` if the model in a folder gives labels scores that are not finite."""
    if not np.isfinite(scores).all():
        raise InputError(
            where=str(folder),
            found="scores that are not numbers (NaN or infinite)",
            expected="a finite score for every label and text",
            fix="Replace damaged weights, or let the model compute with float32 (`dtype`).",
        )


class SuppliedLabels:
    """The labels that answers may have, and whether a text may have several or none.

    Faults are raised as `InputError` with the advice `fix`.
    """

    def __init__(self, labels: Sequence[str], *, multi_label: bool, fix: str) -> None:
        self.labels = sorted(labels)
        self._multi_label = multi_label
        self._fix = fix

    def response(self, given: object, *, scores: object = None, where: str) -> str:
        """Return the response (see `labelled`) with a label, several, or none but `scores`.

        Scores are a mapping of every label to its logit: the argument of a softmax or, if a text
        may have several labels, of a sigmoid. Without a label (None), the outcome is the label with
        the best score, or all labels with a score of at least 0.
        """
        logits = None if scores is None else self._logits(scores, where=where)
        if given is not None:
            outcome = self._outcome(given, where=where)
        elif logits is not None:
            outcome = best_labels(logits, self.labels, multi_label=self._multi_label)
        else:
            raise self._fault(where, found="neither a label nor scores")
        if logits is None:
            return labelled_response(outcome, None)
        return labelled_response(outcome, odds_of(logits[None], multi_label=self._multi_label)[0])

    def _outcome(self, given: object, *, where: str) -> list[str]:
        named: list[Any] = [given]
        if self._multi_label and isinstance(given, list | tuple):
            named = list(given)
        for label in named:
            if not isinstance(label, str) or label not in self.labels:
                raise self._fault(where, found=f"{label!r:.60} as a label")
        return sorted(set(named))

    def _logits(self, scores: object, *, where: str) -> Scores:
        if not isinstance(scores, Mapping) or set(scores) != set(self.labels):
            raise self._fault(where, found=f"{scores!r:.60} as scores")
        wrong = [
            score for score in scores.values() if not isinstance(score, Real) or is_no_score(score)
        ]
        if wrong:
            raise self._fault(where, found=f"{wrong[0]!r:.60} as a score")
        return np.array([float(scores[label]) for label in self.labels])

    def _fault(self, where: str, *, found: str) -> InputError:
        form = "a list of labels" if self._multi_label else "one label"
        expected = f"{form} or a finite score for each, of {', '.join(self.labels)}"
        return InputError(where=where, found=found, expected=expected[:300], fix=self._fix)


def is_no_score(score: Real) -> bool:
    """Return whether a number is infinite, NaN or too large for a float."""
    try:
        return not math.isfinite(float(score))
    except OverflowError:
        return True
