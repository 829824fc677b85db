"""The beginning that all prompts of a task share, computed once."""

import copy
from collections.abc import Sequence
from itertools import takewhile

import torch
from transformers import DynamicCache, PreTrainedModel


class SharedPrefix:
    """Keys and values of the tokens that all prompts begin with, for one model."""

    def __init__(self, model: PreTrainedModel) -> None:
        self._model = model
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
        begun = copy.deepcopy(self._past)
        begun.batch_repeat_interleave(rows)
        return begun

    @torch.inference_mode()
    def _computed(self, ids: list[int]) -> DynamicCache:
        row = torch.tensor([ids], device=self._model.device)
        return self._model.base_model(row, use_cache=True).past_key_values


def _shared_length(rows: Sequence[Sequence[int]]) -> int:
    columns = zip(*rows, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
