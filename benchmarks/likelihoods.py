"""Log-probabilities of tokens under a local language model, in windows around changes."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from hinter.models.batching import BatchSize, batches_by_length
from hinter.mutation import Edit, Mutant, Span, render
from transformers import PreTrainedModel, PreTrainedTokenizerBase

MAX_TOKENS = 128
BEFORE = 32
"""Tokens of a longer sentence that a window shows before the first change."""
BATCH_TOKENS = 1024
DOCUMENT_START = "<|endoftext|>"
"""What stood between the documents that SmolLM2 was trained on."""


class Passage(NamedTuple):
    """A part of a sentence, and the spans in it that are changed."""

    text: str
    changed: tuple[Span, ...]


class Change(NamedTuple):
    """A changed sentence around its changes, before and after, and whose pairs change it."""

    original: Passage
    mutant: Passage
    attributes: frozenset[str]


class Token(NamedTuple):
    """A token's place in its text and its natural log-probability after all tokens before it."""

    start: int
    end: int
    log_probability: float


def changes_of(mutant: Mutant, *, tokenizer: PreTrainedTokenizerBase) -> list[Change]:
    """Return the changed sentences, of which a window is at most 128 tokens of the original."""
    found, start = [], 0
    for line in mutant.original.split("\n"):
        inside = [
            edit.moved(-start) for edit in mutant.edits if start <= edit.start < start + len(line)
        ]
        found.append(_change(line, inside, tokenizer=tokenizer))
        start += len(line) + 1
    return found


def _change(line: str, inside: Sequence[Edit], *, tokenizer: PreTrainedTokenizerBase) -> Change:
    first, end = _window(line, inside[0].start, tokenizer=tokenizer)
    seen = [edit.moved(-first) for edit in inside if edit.end <= end]
    end = min([end, *(edit.start for edit in inside if edit.end > end)])
    text, spans = render(line[first:end], seen)
    return Change(
        original=Passage(line[first:end], tuple(spans)),
        mutant=Passage(text, tuple(spans.values())),
        attributes=frozenset(edit.attribute for edit in seen),
    )


def _window(line: str, change: int, *, tokenizer: PreTrainedTokenizerBase) -> Span:
    offsets = tokenizer(line, return_offsets_mapping=True)["offset_mapping"]
    before = sum(end <= change for _, end in offsets)
    first = min(max(0, before - BEFORE), max(0, len(offsets) - MAX_TOKENS))
    shown = offsets[first : first + MAX_TOKENS]
    return shown[0][0], shown[-1][1]


@torch.inference_mode()
def token_likelihoods(
    texts: Iterable[str], *, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase
) -> dict[str, list[Token]]:
    """Return the tokens of each text, each text read as the beginning of a document."""
    distinct = sorted(set(texts))
    encoded = tokenizer(distinct, return_offsets_mapping=True)
    start = tokenizer.convert_tokens_to_ids(DOCUMENT_START)
    rows = [[start, *ids] for ids in encoded["input_ids"]]
    found: dict[str, list[Token]] = {}
    for batch in batches_by_length(rows, size=BatchSize(BATCH_TOKENS), device=model.device):
        ahead = model(batch.ids).logits[:, :-1].log_softmax(dim=-1)
        taken = ahead.gather(2, batch.ids[:, 1:, None]).squeeze(2).tolist()
        for position, values in zip(batch.positions, taken, strict=True):
            offsets = encoded["offset_mapping"][position]
            found[distinct[position]] = [
                Token(start, end, value)
                for (start, end), value in zip(offsets, values, strict=False)
            ]
    return found
