"""Test when a model is opened whether its results for texts in a batch are those of single texts.

Architectures differ in how they treat padding, and in what they keep of common beginnings. A few
short texts show it for any architecture.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from transformers import PreTrainedModel

from ..errors import InputError
from .batching import BatchSize
from .log_odds import Scores

TOLERANCE = {torch.float64: 1e-6, torch.float32: 1e-4, torch.float16: 0.01, torch.bfloat16: 0.05}
"""The relative difference that rounding may cause."""


class Probe:
    """The results of a model for some texts, each `alone`, shape (texts, numbers).

    Raises `InputError` for a model that cannot be run, or whose results differ the next time.
    """

    def __init__(self, model: PreTrainedModel, alone: Callable[[], Scores]) -> None:
        self._model, self._alone = model, np.empty(0)
        with reported_if_failing(model):
            self._alone = alone()
            again = self.agrees(alone)
        if not again:
            raise _unsteady(model)

    def agrees(self, found: Callable[[], Scores]) -> bool:
        """Return whether the results `found` in another way are equal up to rounding."""
        try:
            off = np.linalg.norm(found() - self._alone, axis=1)
        except Exception:  # Each architecture fails in its own way.
            return False
        size = np.linalg.norm(self._alone, axis=1)
        # Results that are not numbers are refused later, when answers are parsed.
        return not np.any(off > TOLERANCE[self._model.dtype] * size)

    def settle(self, found: Callable[[], Scores], *, size: BatchSize) -> None:
        """Use batches of one text if a text in a larger batch gives another result."""
        if not self.agrees(found):
            size.limit(1)
            logging.info("%s is run on one text at a time: batches change it", _kind(self._model))


@contextmanager
def reported_if_failing(model: PreTrainedModel) -> Iterator[None]:
    """Raise `InputError` for any error that a model raises."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        raise InputError(
            where=model.name_or_path,
            found=f"a model ({_kind(model)}) that fails: {type(error).__name__}, {said}",
            expected="one that only needs the tokens of a text",
            fix="Use another model, or serve it elsewhere and name it as an endpoint.",
        ) from error


def _unsteady(model: PreTrainedModel) -> InputError:
    return InputError(
        where=model.name_or_path,
        found=f"a model ({_kind(model)}) with a different result for the same text each time",
        expected="the same each time",
        fix="Use another model: random changes would count as bias.",
    )


def _kind(model: PreTrainedModel) -> str:
    return str(model.config.model_type)
