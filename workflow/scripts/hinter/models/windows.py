"""The part of a text that a model sees."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..batches import batches_of
from ..errors import InputError
from .model import Window

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedTokenizerBase

CHARACTERS_AT_ONCE = 1 << 22
"""A tokenizer keeps all tokens of the texts that it is given, also those that it cuts."""


def token_windows(
    texts: Sequence[str], *, tokenizer: "PreTrainedTokenizerBase", max_tokens: int
) -> list[Window]:
    """Return the part of each text that `max_tokens` tokens cover, with a digest of these tokens.

    Tokens that the tokenizer adds are included. A text that fits is wholly visible.
    """
    return [
        window
        for some in batches_of(texts, length=len, size=CHARACTERS_AT_ONCE)
        for window in _windows(some, tokenizer=tokenizer, max_tokens=max_tokens)
    ]


def _windows(
    texts: list[str], *, tokenizer: "PreTrainedTokenizerBase", max_tokens: int
) -> list[Window]:
    encoded = tokenizer(texts, truncation=True, max_length=max_tokens, return_offsets_mapping=True)
    rows = zip(texts, encoded.encodings, strict=True)
    return [
        Window(
            length=max(end for _, end in encoding.offsets) if encoding.overflowing else len(text),
            digest=digest_of_tokens(encoding.ids),
        )
        for text, encoding in rows
    ]


class WholeTexts:
    """What is seen of texts by a model that sees all of each."""

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """Return all of each text."""
        return [Window(len(text), digest_of_text(text)) for text in texts]


def check_window(
    max_tokens: int,
    *,
    tokenizer: "PreTrainedTokenizerBase",
    config: "PretrainedConfig",
    folder: Path,
) -> None:
    """Raise `InputError` for more tokens than the encoder in `folder` can read."""
    limit = min(config.max_position_embeddings, tokenizer.model_max_length)
    if max_tokens > limit:
        raise InputError(
            where="models sheet, key 'max_tokens'",
            found=f"{max_tokens} tokens",
            expected=f"at most {limit}, which the encoder in {folder} can read",
            fix="Ask for fewer tokens.",
        )


def digest_of_tokens(ids: Sequence[int]) -> str:
    """Return a digest of a sequence of tokens."""
    return hashlib.blake2b(np.array(ids, dtype="<i4").tobytes(), digest_size=16).hexdigest()


def digest_of_text(text: str) -> str:
    """Return a digest of a text."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
