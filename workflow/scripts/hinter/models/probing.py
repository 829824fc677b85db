"""Whether a model finds in texts together what it finds in each alone, tried when it is opened.

Architectures differ in how they treat padding, and in what they keep of the tokens that texts
share. A few short texts tell, whatever the architecture.
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
"""How far numbers may be off for rounding, relative to their size."""


class Probe:
    """What a model finds in some texts, each `alone`: numbers of shape (texts, numbers).

    Raises `InputError` for a model that cannot be run, and for one that finds something else the
    next time.
    """

    def __init__(self, model: PreTrainedModel, alone: Callable[[], Scores]) -> None:
        self._model, self._alone = model, np.empty(0)
        with told_if_failing(model):
            self._alone = alone()
            again = self.agrees(alone)
        if not again:
            raise _unsteady(model)

    def agrees(self, found: Callable[[], Scores]) -> bool:
        """Tell whether what is found otherwise is the same but for rounding."""
        try:
            off = np.linalg.norm(found() - self._alone, axis=1)
        except Exception:  # Architectures fail in ways of their own.
            return False
        size = np.linalg.norm(self._alone, axis=1)
        # What is no number is refused where answers are read.
        return not np.any(off > TOLERANCE[self._model.dtype] * size)

    def settle(self, found: Callable[[], Scores], *, size: BatchSize) -> None:
        """Have batches of one text each where a text in a batch is not what it is alone."""
        if not self.agrees(found):
            size.limit(1)
            logging.info("%s is run on one text at a time: batches change it", _kind(self._model))


@contextmanager
def told_if_failing(model: PreTrainedModel) -> Iterator[None]:
    """Raise `InputError` for whatever a model raises."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        raise InputError(
            where=model.name_or_path,
            found=f"a model ({_kind(model)}) that fails: {type(error).__name__}, {said}",
            expected="one that can be run on the tokens of a text alone",
            fix="Use another model, or serve it elsewhere and name it as an endpoint.",
        ) from error


def _unsteady(model: PreTrainedModel) -> InputError:
    return InputError(
        where=model.name_or_path,
        found=f"a model ({_kind(model)}) that finds something else in a text each time",
        expected="the same each time",
        fix="Use another model: changes by chance would count as bias.",
    )


def _kind(model: PreTrainedModel) -> str:
    return str(model.config.model_type)
