"""Compute common beginnings of prompts once: that of all prompts, or those of some as a tree.

A node of the tree is a token after all those before it in its row. In sorted order, rows with the
same beginning follow each other, and a walk meets each node once, a parent before its children. At
any time, only the nodes of the current row are still needed.
"""

import inspect
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import pad
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from .batching import TOLERANCE

Columns = NDArray[np.int64]
"""Numbers of nodes, in the order of their tokens: first earlier ones, then those of a chunk."""

CHUNK_TOKENS = 256
"""Nodes that are computed at once: with more, attention would only have more to mask."""
CHECKED = tuple([*range(10, 30), *range(30 + own, 30 + 2 * own)] for own in (1, 13, 30))
"""Prompts with common beginnings, which show how a model can be run on several at once."""


class End(NamedTuple):
    """The end of a row: its position among the rows, and the columns of all its tokens."""

    position: int
    columns: Columns


class Chunk:
    """Nodes that follow each other in a walk.

    `tokens` and `depths` have a number for each node; their columns follow the `known` ones. `ends`
    are the rows whose last token is here, and `path` are the columns that the next chunk needs.
    """

    def __init__(self, *, known: int) -> None:
        self.known, self.path = known, np.arange(known)
        self.tokens: list[int] = []
        self.depths: list[int] = []
        self.ends: list[End] = []
        self._parts: list[tuple[Columns, Columns]] = []

    def add(self, tokens: Sequence[int]) -> None:
        """Add nodes below the path, one below the other."""
        start = self.known + len(self.tokens)
        own = np.arange(start, start + len(tokens))
        self._parts.append((self.path, own))
        self.depths += range(len(self.path), len(self.path) + len(tokens))
        self.tokens += tokens
        self.path = np.concatenate([self.path, own])

    def sees(self) -> NDArray[np.bool_]:
        """Return which columns a node sees, shape (nodes, columns): its own and those above it."""
        sees = np.zeros((len(self.tokens), self.known + len(self.tokens)), dtype=bool)
        for above, own in self._parts:
            rows = own - self.known
            sees[np.ix_(rows, above)] = True
            sees[np.ix_(rows, own)] = np.tri(len(own), dtype=bool)
        return sees


def walk(rows: Sequence[Sequence[int]], *, size: int) -> Iterator[Chunk]:
    """Yield the nodes of all rows in chunks of at most `size`; neither rows nor a row may be empty.

    Equal rows share all but their last token, so each row ends in its own node.
    """
    chunk = Chunk(known=0)
    before: Sequence[int] = ()
    for position in sorted(range(len(rows)), key=lambda position: tuple(rows[position])):
        row = rows[position]
        depth = min(_shared_length((before, row)), len(row) - 1)
        chunk.path = chunk.path[:depth]
        while depth < len(row):
            if len(chunk.tokens) == size:
                yield chunk
                chunk = Chunk(known=depth)
            added = row[depth : depth + size - len(chunk.tokens)]
            chunk.add(added)
            depth += len(added)
        chunk.ends.append(End(position, chunk.path))
        before = row
    yield chunk


class Past(NamedTuple):
    """A prompt's position, and the keys and values of its tokens."""

    position: int
    kept: DynamicCache


def states_after(
    model: PreTrainedModel, prompts: Sequence[Sequence[int]], *, size: int
) -> Iterator[tuple[list[int], torch.Tensor]]:
    """Yield the positions of prompts, and the states after their last tokens (prompts, numbers).

    They are computed `size` nodes at a time.
    """
    for chunk, states, _ in _computed(model, prompts, size=size):
        if chunk.ends:
            last = [int(end.columns[-1]) - chunk.known for end in chunk.ends]
            yield [end.position for end in chunk.ends], states[last]


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
        seen = torch.from_numpy(chunk.sees())
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
