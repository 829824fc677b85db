"""Batches that fit the memory of the device: sized from what is free, and halved when it runs out.

As batches change no outcome (`batching`), neither does what memory there is.
"""

import gc
import logging
from collections.abc import Callable, Iterator
from typing import TypeVar

import torch
from transformers import PreTrainedModel

from ..errors import InputError
from .batching import Batch, BatchSize

T = TypeVar("T")

SHARE = 0.8
"""The share of free memory that batches are given; the rest is for what is not foreseen."""


def free_bytes(device: torch.device) -> int | None:
    """Return the free memory of a GPU in bytes, None for a CPU, whose jobs declare theirs."""
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
    """Return the size of batches: `batch_tokens`, or as many as the free memory holds."""
    room = free(model.device)
    if room is None:
        return BatchSize(batch_tokens)
    fitting = max(1, int(SHARE * room) // token_bytes(model))
    if fitting < batch_tokens:
        logging.info("batches of %d tokens, for which memory is free", fitting)
    return BatchSize(min(batch_tokens, fitting))


def token_bytes(model: PreTrainedModel) -> int:
    """Return about how many bytes a token of a batch takes while it is computed.

    These are the widest activations of one layer, all scores of attention where it is computed
    eagerly, and the keys and values of all layers in models that generate.
    """
    config, element = model.config, model.dtype.itemsize
    hidden, heads = config.hidden_size, config.num_attention_heads
    numbers = 8 * hidden + 3 * getattr(config, "intermediate_size", 4 * hidden)
    if config._attn_implementation == "eager":
        numbers += 3 * heads * config.max_position_embeddings
    if model.can_generate():
        shared = getattr(config, "num_key_value_heads", None) or heads
        numbers += 2 * config.num_hidden_layers * hidden * shared // heads
    return int(numbers * element)


def within_memory(
    batch: Batch, compute: Callable[[Batch], T], *, size: BatchSize
) -> Iterator[tuple[Batch, T]]:
    """Yield a batch with what is computed of it, or its halves if memory runs out, and so on.

    Later batches are then as small from the beginning. Raises `InputError` where memory does not
    suffice for a single row.
    """
    yield from _in_parts(batch, compute, size=size, tokens=size.tokens)


def _in_parts(
    batch: Batch, compute: Callable[[Batch], T], *, size: BatchSize, tokens: int
) -> Iterator[tuple[Batch, T]]:
    try:
        found = compute(batch)
    except torch.OutOfMemoryError:
        if len(batch.positions) == 1:
            raise _no_room(batch) from None
    else:
        yield batch, found
        return
    # Outside the handler, as the error still refers to the tensors of the failed attempt.
    gc.collect()
    torch.cuda.empty_cache()
    size.limit(tokens // 2)
    logging.warning("out of GPU memory; continuing with batches of %d tokens", size.tokens)
    rows = list(range(len(batch.positions)))
    middle = len(rows) // 2
    for half in (rows[:middle], rows[middle:]):
        yield from _in_parts(batch.rows(half), compute, size=size, tokens=tokens // 2)


def _no_room(batch: Batch) -> InputError:
    return InputError(
        where="models sheet, key 'max_tokens'",
        found=f"a text of {int(batch.lengths[0])} tokens, for which the GPU has too little memory",
        expected="a model that can be run on one text at a time",
        fix="Use fewer tokens, a shorter type of numbers (`dtype`), or a GPU with more memory.",
    )
