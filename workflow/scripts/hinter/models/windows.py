"""Truncate texts to the part that a model sees."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..batches import batches_of
from ..errors import InputError
from .model import Window

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedTokenizerBase
    from transformers.tokenization_utils_base import EncodingFast

CHARACTERS_AT_ONCE = 1 << 22
"""Characters per call, as a tokenizer keeps all tokens of its texts, even those that it cuts."""
CHARACTERS_PER_TOKEN = 6
"""More characters per token than most texts have; a text with more is tokenized as a whole."""

WINDOWS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "context_length")
"""Settings in which models say how many tokens they can read."""

_SPACE = re.compile(r"\s")


def token_windows(
    texts: Sequence[str], *, tokenizer: "PreTrainedTokenizerBase", max_tokens: int
) -> list[Window]:
    """Return the part of each text that `max_tokens` tokens cover, with a digest of these tokens.

    Tokens that the tokenizer adds are included. A text that fits is completely visible.
    """
    return [
        Window(
            length=max(end for _, end in encoding.offsets) if encoding.overflowing else len(text),
            digest=digest_of_tokens(encoding.ids),
        )
        for text, encoding in zip(
            texts, first_tokens(texts, tokenizer=tokenizer, max_tokens=max_tokens), strict=True
        )
    ]


def first_tokens(
    texts: Sequence[str], *, tokenizer: "PreTrainedTokenizerBase", max_tokens: int
) -> Iterator["EncodingFast"]:
    """Yield the encoding of each text, cut after `max_tokens` tokens.

    Only the beginning of a long text is tokenized, which is likely to have so many tokens.
    """
    # Tokens never extend across white space.
    spaces = (_SPACE.search(text, max_tokens * CHARACTERS_PER_TOKEN) for text in texts)
    starts = (text[: at.start()] if at else text for text, at in zip(texts, spaces, strict=True))
    both = zip(texts, starts, strict=True)
    for some in batches_of(both, length=lambda one: len(one[1]), size=CHARACTERS_AT_ONCE):
        # Mutants that only differ beyond their beginnings share one encoding.
        found = _encoded(dict.fromkeys(start for _, start in some), tokenizer, max_tokens)
        for text, start in some:
            if len(start) < len(text) and not found[start].overflowing:
                yield from _encoded([text], tokenizer, max_tokens).values()
            else:
                yield found[start]


def _encoded(
    texts: Iterable[str], tokenizer: "PreTrainedTokenizerBase", max_tokens: int
) -> dict[str, "EncodingFast"]:
    listed = list(texts)
    encoded = tokenizer(listed, truncation=True, max_length=max_tokens, split_special_tokens=True)
    return dict(zip(listed, encoded.encodings, strict=True))


class WholeTexts:
    """The windows of a model that sees whole texts."""

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
    stated = tokenizer.model_max_length
    limit = min(model_window(config) or stated, stated)
    if max_tokens > limit:
        raise InputError(
            where="models sheet, key 'max_tokens'",
            found=f"{max_tokens} tokens",
            expected=f"at most {limit}, which the encoder in {folder} can read",
            fix="Ask for fewer tokens.",
        )


def model_window(config: "PretrainedConfig") -> int | None:
    """Return how many tokens a model can read by its settings, or None if they do not say."""
    settings = config.get_text_config()
    limits = (getattr(settings, name, None) for name in WINDOWS)
    return next((limit for limit in limits if isinstance(limit, int) and limit > 0), None)


def digest_of_tokens(ids: Sequence[int]) -> str:
    """Return a digest of a sequence of tokens."""
    return hashlib.blake2b(np.array(ids, dtype="<i4").tobytes(), digest_size=16).hexdigest()


def digest_of_text(text: str) -> str:
    """Return a digest of a text."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
