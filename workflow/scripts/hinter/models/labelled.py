"""Responses of local models that choose among labels: JSON of the outcome and the labels' scores.

Without scores a response is the list of the outcome's labels.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..errors import InputError
from .log_odds import Scores, by_label, in_hundredths
from .model import Reading, Status


def labelled_response(outcome: Sequence[str], odds: Scores | None) -> str:
    """Return the response with an outcome and, if they are kept, the labels' log-odds (labels,)."""
    if odds is None:
        return json.dumps(outcome)
    document = {"outcome": outcome, "scores": in_hundredths(odds).tolist()}
    return json.dumps(document, separators=(",", ":"))


def read_labelled(response: str, *, labels: Sequence[str]) -> Reading:
    """Return what a response means; its scores are those of `labels`, in this order."""
    document = json.loads(response)
    if isinstance(document, list):
        return Reading(Status.OK, tuple(document))
    scores = by_label(labels, document["scores"])
    return Reading(Status.OK, tuple(document["outcome"]), scores=scores)


def check_numbers(scores: Scores, *, folder: Path) -> None:
    """Raise `InputError` where the model in a folder gives labels no finite scores."""
    if not np.isfinite(scores).all():
        raise InputError(
            where=str(folder),
            found="scores that are no numbers (NaN or infinite)",
            expected="a finite score for every label and text",
            fix="Put sound weights there, or let the model compute with float32 (`dtype`).",
        )
