"""Compute common beginnings of prompts once: that of all prompts, or those of some as a tree."""

import inspect
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

import torch
from torch.nn.functional import pad
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from .probing import TOLERANCE
from .token_tree import Chunk, Columns, walk

CHUNK_TOKENS = 256
"""Nodes that are computed at once: with more, attention would only have more to mask."""
CHECKED = tuple([*range(10, 30), *range(30 + own, 30 + 2 * own)] for own in (1, 13, 30))
"""Prompts with common beginnings, which show how a model can be run on several at once."""


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
    """Return whether the states of a model on a tree are those after whole prompts.

    A GPU is faster with larger batches, even if they compute more. Keys and values of a sliding
    window or of a recurrent state cannot be selected, and some models accept no positions.
    """
    if "position_ids" not in inspect.signature(model.base_model.forward).parameters:
        return False
    try:
        layers = DynamicCache(config=model.config).layers
        if model.device.type != "cpu" or not all(type(layer) is DynamicLayer for layer in layers):
            return False
        return all(
            (state - alone).norm() <= TOLERANCE[model.dtype] * alone.norm()
            for positions, states in states_after(model, CHECKED, size=16)
            for position, state in zip(positions, states, strict=True)
            for alone in model.base_model(torch.tensor([CHECKED[position]]))[0][:, -1]
        )
    except Exception:  # Each architecture fails in its own way.
        return False


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
    """Keys and values of the tokens that all prompts begin with, for one model.

    If `is_used` is False, nothing is shared.
    """

    def __init__(self, model: PreTrainedModel) -> None:
        self._model, self.is_used = model, True
        self._ids: list[int] = []
        self._past: DynamicCache | None = None

    def find(self, prompts: Sequence[Sequence[int]]) -> int:
        """Compute the common beginning, unless it is known, and return its length in tokens.

        At least one token of each prompt remains. Tokens are compared, not text: tokenised by
        itself, a common beginning may end with another token.
        """
        shared = min(_shared_length(prompts), min(map(len, prompts)) - 1) if self.is_used else 0
        ids = list(prompts[0][:shared])
        if ids != self._ids:
            self._past = self._computed(ids) if ids else None
            self._ids = ids
        return shared

    def past(self, *, padding: Sequence[int]) -> DynamicCache | None:
        """Return keys and values for a batch of rows, or None if nothing is shared.

        They belong to its first columns, one per shared token, after `padding` columns on the left
        of each row.
        """
        if self._past is None:
            return None
        return stacked([self._past] * len(padding), padding=padding, columns=len(self._ids))

    @torch.inference_mode()
    def _computed(self, ids: list[int]) -> DynamicCache:
        row = torch.tensor([ids], device=self._model.device)
        # A cache that keeps everything, even beyond a sliding window.
        kept = DynamicCache()
        self._model.base_model(row, past_key_values=kept, use_cache=True)
        return kept


def stacked(pasts: Sequence[DynamicCache], *, padding: Sequence[int], columns: int) -> DynamicCache:
    """Return the keys and values of several rows as those of a batch, padded on the left.

    Columns beyond this number are cut.
    """
    found = DynamicCache()
    for number, layers in enumerate(zip(*(past.layers for past in pasts), strict=True)):
        keys, values = (
            torch.cat(
                [
                    pad(row, (0, 0, left, columns - left - row.shape[2]))
                    for left, row in zip(padding, rows, strict=True)
                ]
            )
            for rows in zip(*((layer.keys, layer.values) for layer in layers), strict=True)
        )
        found.update(keys, values, number)
    return found


def _shared_length(rows: Sequence[Sequence[int]]) -> int:
    columns = zip(*rows, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
