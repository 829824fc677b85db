"""What part of a text a model sees."""

import hashlib
from collections.abc import Sequence

import numpy as np
from transformers import PreTrainedTokenizerBase

from .model import Window


def token_windows(
    texts: Sequence[str], *, tokenizer: PreTrainedTokenizerBase, max_tokens: int
) -> list[Window]:
    """Return for each text what `max_tokens` tokens cover, with a digest of these tokens.

    Tokens that the tokenizer itself adds count. A text that fits is visible whole.
    """
    encoded = tokenizer(
        list(texts), truncation=True, max_length=max_tokens, return_offsets_mapping=True
    )
    rows = zip(texts, encoded.encodings, strict=True)
    return [
        Window(
            length=max(end for _, end in encoding.offsets) if encoding.overflowing else len(text),
            digest=digest_of_tokens(encoding.ids),
        )
        for text, encoding in rows
    ]


def digest_of_tokens(ids: Sequence[int]) -> str:
    """Return a digest of a sequence of tokens."""
    return hashlib.blake2b(np.array(ids, dtype="<i4").tobytes(), digest_size=16).hexdigest()


def digest_of_text(text: str) -> str:
    """Return a digest of a text."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
