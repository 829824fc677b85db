"""Count the tokens of texts by the tokenizer of a model that runs elsewhere."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import tiktoken

from ...errors import InputError


class TokenCounter(Protocol):
    """A model's tokenizer, used for counting only."""

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`, without those that mark its beginning or end."""

    def lengths(self, texts: Sequence[str], max_tokens: int) -> list[int]:
        """Return for each text the number of leading characters that `max_tokens` tokens cover.

        A character counts only if they cover all its bytes.
        """


def open_token_counter(folder: Path) -> TokenCounter:
    """Return the counter in `folder`: a tokenizer of transformers, or an encoding of tiktoken.

    The folder of an encoding has its name, such as cl100k_base, and contains the file under the
    name that tiktoken gives it. For a file, tokens are counted roughly.
    """
    if folder.is_file():
        return RoughCounter()
    if (folder / "tokenizer_config.json").is_file():
        return TransformersCounter(folder)
    return TiktokenCounter(folder)


class TransformersCounter:
    """The tokenizer in a folder written by `save_pretrained`."""

    def __init__(self, folder: Path) -> None:
        # Encodings of tiktoken do not need transformers.
        from ..loading import load_tokenizer

        self._tokenizer = load_tokenizer(folder)

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        return len(self._offsets([text])[0])

    def lengths(self, texts: Sequence[str], max_tokens: int) -> list[int]:
        """Return for each text the number of leading characters that `max_tokens` tokens cover."""
        return [
            len(text) if len(offsets) <= max_tokens else _covered(offsets, max_tokens)
            for text, offsets in zip(texts, self._offsets(texts), strict=True)
        ]

    def _offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        # A tokenizer of transformers fails on an empty list.
        if not texts:
            return []
        encoded = self._tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        offsets: list[list[tuple[int, int]]] = encoded["offset_mapping"]
        return offsets


class TiktokenCounter:
    """An encoding of tiktoken, from the folder with its name."""

    def __init__(self, folder: Path) -> None:
        # The only way to make tiktoken read a folder instead of the network.
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        try:
            self._encoding = tiktoken.get_encoding(folder.name)
        except (ValueError, OSError):
            names = ", ".join(tiktoken.list_encoding_names())
            raise InputError(
                where=str(folder),
                found="no tokenizer",
                expected="a folder with tokenizer_config.json and its files, or with the name and "
                f"the file of an encoding ({names})",
                fix="Run `snakemake resources`, or correct `tokenizer` in the models sheet.",
            ) from None

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        return len(self._encoding.encode_ordinary(text))

    def lengths(self, texts: Sequence[str], max_tokens: int) -> list[int]:
        """Return for each text the number of leading characters that `max_tokens` tokens cover."""
        tokens = [self._encoding.encode_ordinary(text) for text in texts]
        return [
            len(text)
            if len(ids) <= max_tokens
            else self._encoding.decode_with_offsets(ids)[1][max_tokens]
            for text, ids in zip(texts, tokens, strict=True)
        ]


class RoughCounter:
    """An upper bound for most tokenizers: up to three letters, or a part of another character.

    A single space is in the token after it.
    """

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        return sum(_most_tokens(piece[0]) for piece in PIECE.finditer(text))

    def lengths(self, texts: Sequence[str], max_tokens: int) -> list[int]:
        """Return for each text the number of leading characters that `max_tokens` tokens cover."""
        return [_length(text, max_tokens) for text in texts]


PIECE = re.compile(r"[A-Za-z]{1,3}| |.", re.DOTALL)


def _most_tokens(piece: str) -> int:
    return 0 if piece == " " else max(1, len(piece.encode()) - 1) if len(piece) == 1 else 1


def _length(text: str, max_tokens: int) -> int:
    used = 0
    for piece in PIECE.finditer(text):
        used += _most_tokens(piece[0])
        if used > max_tokens:
            return piece.start()
    return len(text)


def _covered(offsets: Sequence[tuple[int, int]], max_tokens: int) -> int:
    """Return how many leading characters are entirely in the first `max_tokens` tokens."""
    last_end = offsets[max_tokens - 1][1] if max_tokens else 0
    # Tokens that are bytes of one character all have its offsets.
    return min(last_end, offsets[max_tokens][0])
