"""Batches of similar length, and outcomes that do not depend on them.

Batched and single computations differ in the last bits. A decision closer than `near_tie` is made
again, in higher precision or in a batch of its own, so the composition of batches changes no
outcome. (`log_odds` does the same for scores.)
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch

HIGHER = {
    torch.bfloat16: torch.float32,
    torch.float16: torch.float32,
    torch.float32: torch.float64,
}
"""The precision in which a near tie is decided again."""

_NEAR_TIES = {torch.float64: 1e-9, torch.float32: 1e-3, torch.float16: 0.1, torch.bfloat16: 0.5}


class BatchSize:
    """The most tokens of a batch, which may become fewer while batches are made."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens

    def limit(self, tokens: int) -> None:
        """Let the batches to come have at most so many tokens."""
        self.tokens = max(1, min(self.tokens, tokens))


class Batch(NamedTuple):
    """Rows of similar length: their positions, right-padded ids (rows, longest), and lengths."""

    positions: list[int]
    ids: torch.Tensor
    lengths: torch.Tensor

    def rows(self, chosen: list[int]) -> "Batch":
        """Return a batch of the chosen rows alone."""
        longest = int(self.lengths[chosen].max())
        positions = [self.positions[row] for row in chosen]
        return Batch(positions, self.ids[chosen, :longest], self.lengths[chosen])

    def mask(self) -> torch.Tensor:
        """Return 1 for tokens and 0 for padding, shape (rows, longest)."""
        columns = torch.arange(self.ids.shape[1], device=self.ids.device)
        return (columns[None, :] < self.lengths[:, None]).long()


def near_tie(dtype: torch.dtype) -> float:
    """Return the margin, in logits, under which a decision is made again.

    It is far above the noise of batching, about 1e-5 in float32, and above that of half precision:
    how far the two best logits of SmolLM2 are apart changes by up to 0.22 in bfloat16, whose
    numbers have 8 binary digits, and by up to 0.04 in float16, whose numbers have 11.
    """
    return _NEAR_TIES[dtype]


def batches_by_length(
    token_ids: Sequence[Sequence[int]],
    *,
    size: BatchSize,
    device: torch.device,
    row_tokens: int = 0,
) -> Iterator[Batch]:
    """Yield batches of at most this `size`, padding included, longest texts first.

    `row_tokens` is added for each row: tokens that the model holds beside its ids. A longer text
    is a batch of its own. With the longest texts first, memory peaks at the start.
    """
    order = sorted(range(len(token_ids)), key=lambda position: -len(token_ids[position]))
    start = 0
    while start < len(order):
        rows = max(1, size.tokens // max(1, len(token_ids[order[start]]) + row_tokens))
        positions = order[start : start + rows]
        yield as_batch(positions, token_ids, device=device)
        start += rows


def as_batch(
    positions: list[int], token_ids: Sequence[Sequence[int]], *, device: torch.device
) -> Batch:
    """Return the rows at some positions as one batch."""
    ids = [torch.tensor(token_ids[position]) for position in positions]
    lengths = torch.tensor([len(row) for row in ids], device=device)
    padded = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True).to(device)
    return Batch(positions, padded, lengths)
