"""What part of a text a model sees."""

from collections.abc import Sequence

from transformers import PreTrainedTokenizerBase


def visible_lengths(
    texts: Sequence[str], *, tokenizer: PreTrainedTokenizerBase, max_tokens: int
) -> list[int]:
    """Return for each text the number of leading characters that `max_tokens` tokens cover.

    Tokens that the tokenizer itself adds count. A text that fits is visible whole.
    """
    encoded = tokenizer(
        list(texts), truncation=True, max_length=max_tokens, return_offsets_mapping=True
    )
    whole = tokenizer(list(texts), return_length=True, verbose=False)["length"]
    ends = [max(end for _, end in offsets) for offsets in encoded["offset_mapping"]]
    return [
        len(text) if length <= max_tokens else end
        for text, length, end in zip(texts, whole, ends, strict=True)
    ]
