"""Make batches of similar length that fit into memory, so that outcomes do not depend on them.

Batched and single computations differ in the last bits. A decision closer than `near_tie` is made
again, in higher precision or in a separate batch, so the composition of batches changes no outcome.
(`near_edge` does it for scores.) Batches can thus be sized by the free memory, and halved when it
runs out.

Architectures differ in how they treat padding, and in what they keep of common beginnings. When a
model is opened, a few short texts show whether its results in a batch are those of single texts.
"""

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from transformers import PreTrainedModel

from ..errors import InputError
from .labelled import Scores
from .windows import model_window

HIGHER = {torch.bfloat16: torch.float32, torch.float16: torch.float32, torch.float32: torch.float64}
"""The precision in which a near tie is decided again."""

_NEAR_TIES = {torch.float64: 1e-9, torch.float32: 1e-3, torch.float16: 0.1, torch.bfloat16: 0.5}

TOLERANCE = {torch.float64: 1e-6, torch.float32: 1e-4, torch.float16: 0.01, torch.bfloat16: 0.05}
"""The relative difference that rounding may cause."""

T = TypeVar("T")
SHARE = 0.8
"""The share of free memory for batches; the rest is a reserve."""


class BatchSize:
    """The maximum number of tokens of a batch, which may be reduced while batches are made."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens

    def limit(self, tokens: int) -> None:
        """Limit all further batches to so many tokens."""
        self.tokens = max(1, min(self.tokens, tokens))


class Batch(NamedTuple):
    """Rows of similar length: their positions, right-padded ids (rows, longest), and lengths."""

    positions: list[int]
    ids: torch.Tensor
    lengths: torch.Tensor

    def rows(self, chosen: list[int]) -> "Batch":
        """Return a batch of only the chosen rows."""
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
    the difference between the two best logits of SmolLM2 changes by up to 0.22 in bfloat16, whose
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

    `row_tokens` is added for each row: tokens that the model keeps in addition to its ids. A longer
    text is a batch by itself. With the longest texts first, memory use is highest at the start.
    """
    order = sorted(range(len(token_ids)), key=lambda position: -len(token_ids[position]))
    start = 0
    while start < len(order):
        rows = max(1, size.tokens // max(1, len(token_ids[order[start]]) + row_tokens))
        positions = order[start : start + rows]
        yield as_batch(positions, token_ids, device=device)
        start += rows


def as_batch(
    positions: Sequence[int], token_ids: Sequence[Sequence[int]], *, device: torch.device
) -> Batch:
    """Return the rows at some positions as one batch."""
    ids = [torch.tensor(token_ids[position]) for position in positions]
    lengths = torch.tensor([len(row) for row in ids], device=device)
    padded = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True).to(device)
    return Batch(list(positions), padded, lengths)


def free_bytes(device: torch.device) -> int | None:
    """Return the free memory of a GPU in bytes, or None for a CPU, whose jobs declare theirs."""
    if device.type == "cpu":
        return None
    held = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return int(torch.cuda.mem_get_info(device)[0] + held)


def size_batches(
    batch_tokens: int,
    *,
    model: PreTrainedModel,
    free: Callable[[torch.device], int | None] = free_bytes,
) -> BatchSize:
    """Return the size of batches: `batch_tokens`, or fewer if the free memory is less."""
    room = free(model.device)
    if room is None:
        return BatchSize(batch_tokens)
    fitting = max(1, int(SHARE * room) // token_bytes(model))
    if fitting < batch_tokens:
        logging.info("batches of %d tokens, for which memory is free", fitting)
    return BatchSize(min(batch_tokens, fitting))


def token_bytes(model: PreTrainedModel) -> int:
    """Return approximately how many bytes a token of a batch takes during the computation.

    These are the widest activations of one layer, all attention scores if attention is computed
    eagerly, and the keys and values of all layers in models that generate.
    """
    config, element = model.config.get_text_config(), model.dtype.itemsize
    hidden = getattr(config, "hidden_size", 1024)
    heads = getattr(config, "num_attention_heads", 1)
    numbers = 8 * hidden + 3 * getattr(config, "intermediate_size", 4 * hidden)
    if config._attn_implementation == "eager":
        numbers += 3 * heads * (model_window(config) or hidden)
    if model.can_generate():
        shared = getattr(config, "num_key_value_heads", None) or heads
        numbers += 2 * getattr(config, "num_hidden_layers", 1) * hidden * shared // heads
    return int(numbers * element)


def within_memory(
    batch: Batch, compute: Callable[[Batch], T], *, size: BatchSize, tokens: int | None = None
) -> Iterator[tuple[Batch, T]]:
    """Yield a batch with its result or, if memory runs out, its halves in the same way.

    Later batches are then made as small: `tokens` is the size of this one, which is that of all
    unless it is a half. Raises `InputError` if there is not enough memory for a single row.
    """
    tokens = size.tokens if tokens is None else tokens
    try:
        found = compute(batch)
    except torch.OutOfMemoryError:
        if len(batch.positions) == 1:
            tokens = int(batch.lengths[0])
            raise InputError(
                where="models sheet, key 'max_tokens'",
                found=f"a text of {tokens} tokens, for which the GPU has too little memory",
                expected="a model that can be run on one text at a time",
                fix="Use fewer tokens, half precision (`dtype`), or a GPU with more memory.",
            ) from None
    else:
        yield batch, found
        return
    # Outside the handler, where the error would still keep the tensors of the failed attempt.
    gc.collect()
    torch.cuda.empty_cache()
    size.limit(tokens // 2)
    logging.warning("out of GPU memory; continuing with batches of %d tokens", size.tokens)
    rows = list(range(len(batch.positions)))
    middle = len(rows) // 2
    for half in (rows[:middle], rows[middle:]):
        yield from within_memory(batch.rows(half), compute, size=size, tokens=tokens // 2)


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
            raise InputError(
                where=model.name_or_path,
                found=f"a model ({_kind(model)}) with a different result for the same text each "
                "time",
                expected="the same each time",
                fix="Use another model: random changes would count as bias.",
            )

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


def _kind(model: PreTrainedModel) -> str:
    return str(model.config.model_type)
