"""The beginning that all prompts of a task share, computed once."""

import copy
from collections.abc import Sequence
from itertools import takewhile

import torch
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from .families import Family, find_families


class SharedPrefix:
    """Keys and values of the tokens that prompts begin with, for one model."""

    def __init__(self, model: PreTrainedModel) -> None:
        self._model = model
        self._in_families = _runs_in_families(model)
        self._ids: list[int] = []
        self._past: DynamicCache | None = None

    def find(self, prompts: Sequence[Sequence[int]]) -> int:
        """Compute what the prompts share, unless it is known, and return its length in tokens.

        At least one token of each prompt is left over. Tokens are compared, not text: tokenised
        alone, a shared beginning may end in another token.
        """
        shared = min(_shared_length(prompts), min(map(len, prompts)) - 1)
        ids = list(prompts[0][:shared])
        if ids != self._ids:
            self._past = self._computed(ids) if ids else None
            self._ids = ids
        return shared

    def past(self, *, rows: int) -> DynamicCache | None:
        """Return keys and values for a batch of `rows` prompts, None if nothing is shared."""
        if self._past is None:
            return None
        return begin(self._past, tokens=self._past.get_seq_length(), rows=rows)

    def families(self, rows: Sequence[Sequence[int]]) -> tuple[list[Family], list[int]]:
        """Return the families among what follows in prompts, and the positions of all others.

        On a CPU, the mutants of one original share what comes before their first replaced word.
        """
        return find_families(rows) if self._in_families else ([], list(range(len(rows))))

    @torch.inference_mode()
    def _computed(self, ids: list[int]) -> DynamicCache:
        row = torch.tensor([ids], device=self._model.device)
        return self._model.base_model(row, use_cache=True).past_key_values


def begin(past: DynamicCache, *, tokens: int, rows: int) -> DynamicCache:
    """Return the keys and values of the first `tokens` of one row, for a batch of `rows`."""
    begun = copy.deepcopy(past)
    if tokens < begun.get_seq_length():
        # A negative number removes so many.
        begun.crop(tokens - begun.get_seq_length())
    begun.batch_repeat_interleave(rows)
    return begun


def _runs_in_families(model: PreTrainedModel) -> bool:
    # A GPU is faster with larger batches, even where they compute more. The keys and values of a
    # sliding window or of a state cannot be cut.
    layers = DynamicCache(config=model.config).layers
    return model.device.type == "cpu" and all(type(layer) is DynamicLayer for layer in layers)


def _shared_length(rows: Sequence[Sequence[int]]) -> int:
    columns = zip(*rows, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
