"""The change that a mutant makes to one sentence."""

import hashlib
from typing import NamedTuple

from ..mutation import Span

DIGEST_SIZE = 16
"""Enough bytes to rule out that two changes of a study have the same digest."""


class Change(NamedTuple):
    """An original sentence and its mutated form.

    `replaced` are the spans of the original sentence that were replaced, `replacing` the spans of
    the replacements in the mutated one, both left to right. `tail` is true if the original sentence
    ends only with its text.
    """

    original: str
    mutated: str
    replaced: tuple[Span, ...]
    replacing: tuple[Span, ...]
    tail: bool = False

    @property
    def digest(self) -> bytes:
        """`DIGEST_SIZE` bytes that identify these sentences."""
        # The length separates the original from the mutated sentence.
        parts = f"{len(self.original)} {self.original}{self.mutated}{self.replaced}{self.replacing}"
        return hashlib.blake2b(parts.encode(), digest_size=DIGEST_SIZE).digest()
