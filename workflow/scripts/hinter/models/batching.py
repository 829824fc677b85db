"""Batches of similar length, and outcomes that do not depend on them.

Batched and single computations differ in the last bits (about 1e-5 in a logit). Wherever a decision
is closer than `NEAR_TIE` it is made again alone and in double precision, where the noise is far
below any margin: so batch size and order change no outcome.
"""

from collections.abc import Iterator, Sequence

import torch

NEAR_TIE = 1e-3
"""Margin, in logits, under which a decision is made again in double precision."""


def batches_by_length(
    token_ids: Sequence[Sequence[int]], *, batch_size: int
) -> Iterator[tuple[list[int], torch.Tensor, torch.Tensor]]:
    """Yield (positions, right-padded ids, lengths) of batches of similar length, longest first.

    ids has shape (batch, longest), lengths (batch,). With the longest batch first the memory peak
    comes at the start.
    """
    order = sorted(range(len(token_ids)), key=lambda position: -len(token_ids[position]))
    for start in range(0, len(order), batch_size):
        positions = order[start : start + batch_size]
        rows = [torch.tensor(token_ids[position]) for position in positions]
        lengths = torch.tensor([len(row) for row in rows])
        yield positions, torch.nn.utils.rnn.pad_sequence(rows, batch_first=True), lengths
