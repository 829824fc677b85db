"""What prompts begin with is computed once: what all of them share, or some of them as a tree."""

import copy
import inspect
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

import torch
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from .token_tree import Chunk, Columns, walk

CHUNK_TOKENS = 256
"""Nodes that are computed at once: with more, attention only has more to leave out."""
CHECKED = ((1, 2, 3, 4), (1, 2, 4), (1, 2, 4, 5), (2, 3))
"""Prompts by which is told whether a model can be run on a tree."""
TOLERANCE = {torch.float64: 1e-6, torch.float32: 1e-4, torch.float16: 0.01, torch.bfloat16: 0.05}
"""How far states may be off for rounding, relative to their size."""


class Ended(NamedTuple):
    """Prompts that end in a chunk: their positions, and the states after their last tokens."""

    positions: list[int]
    states: torch.Tensor


class Past(NamedTuple):
    """A prompt's position, and the keys and values of its tokens."""

    position: int
    kept: DynamicCache


def states_after(
    model: PreTrainedModel, prompts: Sequence[Sequence[int]], *, size: int
) -> Iterator[Ended]:
    """Yield the states after all prompts, shape (prompts, numbers), `size` nodes at a time."""
    for chunk, states, _ in _computed(model, prompts, size=size):
        if chunk.ends:
            last = [int(end.columns[-1]) - chunk.known for end in chunk.ends]
            yield Ended([end.position for end in chunk.ends], states[last])


def pasts_of(
    model: PreTrainedModel, prompts: Sequence[Sequence[int]], *, size: int
) -> Iterator[Past]:
    """Yield the keys and values of each prompt, computed `size` nodes at a time."""
    for chunk, _, past in _computed(model, prompts, size=size):
        for end in chunk.ends:
            yield Past(end.position, _chosen(past, end.columns))


@torch.inference_mode()
def runs_as_tree(model: PreTrainedModel) -> bool:
    """Tell whether the states of a model on a tree are those after whole prompts.

    A GPU is faster with larger batches, even where they compute more. From the keys and values of a
    sliding window or of a state none can be chosen, and some models take no places of tokens.
    """
    layers = DynamicCache(config=model.config).layers
    if model.device.type != "cpu" or not all(type(layer) is DynamicLayer for layer in layers):
        return False
    if "position_ids" not in inspect.signature(model.base_model.forward).parameters:
        return False
    return all(
        (state - alone).norm() <= TOLERANCE[model.dtype] * alone.norm()
        for positions, states in states_after(model, CHECKED, size=3)
        for position, state in zip(positions, states, strict=True)
        for alone in model.base_model(torch.tensor([CHECKED[position]]))[0][:, -1]
    )


@torch.inference_mode()
def _computed(
    model: PreTrainedModel, prompts: Sequence[Sequence[int]], *, size: int
) -> Iterator[tuple[Chunk, torch.Tensor, DynamicCache]]:
    """Yield chunks with the states of their nodes, and the keys and values of all their columns."""
    past = DynamicCache()
    for chunk in walk(prompts, size=size):
        seen = torch.from_numpy(chunk.sees)
        hidden = torch.full(seen.shape, torch.finfo(model.dtype).min, dtype=model.dtype)
        states = model.base_model(
            torch.tensor([chunk.tokens]),
            attention_mask=hidden.masked_fill_(seen, 0)[None, None],
            position_ids=torch.tensor([chunk.depths]),
            past_key_values=past,
            use_cache=True,
        )[0][0]
        yield chunk, states, past
        past = _chosen(past, chunk.path)


def _chosen(past: DynamicCache, columns: Columns) -> DynamicCache:
    """Return the keys and values of some columns."""
    chosen, places = DynamicCache(), torch.from_numpy(columns)
    for number, layer in enumerate(past.layers):
        keys, values = (kept.index_select(2, places) for kept in (layer.keys, layer.values))
        chosen.update(keys, values, number)
    return chosen


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
