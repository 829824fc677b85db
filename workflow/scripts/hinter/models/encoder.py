"""An encoder with a classification head."""

import copy
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from .batching import NEAR_TIE, batches_by_length
from .windows import visible_lengths


class Encoder:
    """A sequence classifier in a folder as `save_pretrained` writes it.

    Its outcome is the label of the largest logit or, for a model trained on a multi-label problem,
    every label with a logit of at least 0.
    """

    def __init__(self, folder: Path, *, max_tokens: int, batch_size: int, threads: int) -> None:
        torch.set_num_threads(threads)
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
        self._multi_label = self._model.config.problem_type == "multi_label_classification"
        self._max_tokens = max_tokens
        self._batch_size = batch_size

    def visible_lengths(self, texts: Sequence[str]) -> list[int]:
        """Return how many leading characters of each text the model sees."""
        return visible_lengths(texts, tokenizer=self._tokenizer, max_tokens=self._max_tokens)

    def outcomes(
        self, texts: Sequence[str], *, advance: Callable[[int], object]
    ) -> list[tuple[str, ...]]:
        """Return the outcome of each text; `advance` is told the size of each finished batch."""
        token_ids = self._tokenizer(list(texts), truncation=True, max_length=self._max_tokens)
        rows: list[list[int]] = token_ids["input_ids"]
        logits = torch.zeros(len(texts), self._model.config.num_labels, dtype=torch.float64)
        for positions, ids, lengths in batches_by_length(rows, batch_size=self._batch_size):
            logits[positions] = _logits(self._model, ids, lengths).double()
            advance(len(positions))
        for position in self._near_ties(logits):
            ids = torch.tensor([rows[position]])
            logits[position] = _logits(self._double, ids, torch.tensor([ids.shape[1]]))[0]
        return [self._outcome(row) for row in logits]

    @cached_property
    def _double(self) -> torch.nn.Module:
        return copy.deepcopy(self._model).double()

    def _near_ties(self, logits: torch.Tensor) -> list[int]:
        if self._multi_label:
            margins = logits.abs().min(dim=1).values
        else:
            first, second = logits.topk(2, dim=1).values.unbind(dim=1)
            margins = first - second
        positions: list[int] = torch.nonzero(margins < NEAR_TIE).flatten().tolist()
        return positions

    def _outcome(self, logits: torch.Tensor) -> tuple[str, ...]:
        names: dict[int, str] = self._model.config.id2label
        if self._multi_label:
            chosen = torch.nonzero(logits >= 0).flatten().tolist()
            return tuple(sorted(names[index] for index in chosen))
        return (names[int(logits.argmax())],)


@torch.inference_mode()
def _logits(model: torch.nn.Module, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    mask = torch.arange(ids.shape[1])[None, :] < lengths[:, None]
    logits: torch.Tensor = model(input_ids=ids, attention_mask=mask.long()).logits
    return logits
