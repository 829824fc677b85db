"""Responses with labels and their scores, of local models or from a user's program.

A response is JSON of the outcome and the scores of labels. Without scores, it is the list of the
labels in the outcome. The output of a user's program is checked against the labels of a dataset.
"""

import json
import math
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from .log_odds import Scores, by_label, in_hundredths, log_odds
from .model import ParsedAnswer, Status


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
            outcome = self._best(logits)
        else:
            raise self._fault(where, found="neither a label nor scores")
        return labelled_response(outcome, None if logits is None else self._odds(logits))

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

    def _best(self, logits: Scores) -> list[str]:
        if self._multi_label:
            return [self.labels[location] for location in np.flatnonzero(logits >= 0)]
        return [self.labels[int(logits.argmax())]]

    def _odds(self, logits: Scores) -> Scores:
        odds: Scores = logits if self._multi_label else log_odds(logits[None])[0]
        return odds

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
