"""How an original sentence and its mutated form are compared."""

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from ..mutation import Span
from .alignment import aligned_equal, arcs_of, runs_of
from .parsing import Parse

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


class Comparator(StrEnum):
    """The condition under which a mutated sentence conforms to its original.

    `TOLERANT`: tags and dependency labels are tolerantly equal (the paper's Algorithm 2).
    `STRICT`: both are equal except for tokens inserted inside the replaced spans.
    `HEADS`: strict, and the arcs of the trees agree, with each replaced span as one node.
    """

    TOLERANT = "tolerant"
    STRICT = "strict"
    HEADS = "heads"

    def tags_conform(self, change: Change, original: Parse, mutated: Parse) -> bool:
        """Return whether the part-of-speech tags of the mutated sentence conform."""
        return self._conform(change, original, mutated, original.tags, mutated.tags)

    def trees_conform(self, change: Change, original: Parse, mutated: Parse) -> bool:
        """Return whether labels (and for `HEADS` arcs) conform, given that the tags do."""
        if not self._conform(change, original, mutated, original.labels, mutated.labels):
            return False
        if self is not Comparator.HEADS:
            return True
        runs = runs_of(original, change.replaced)
        added = [number for number, run in enumerate(runs) if not run.tokens]
        after = arcs_of(mutated.heads, runs_of(mutated, change.replacing), added=added)
        return arcs_of(original.heads, runs, added=added) == after

    def _conform(
        self, change: Change, original: Parse, mutated: Parse, before: list[int], after: list[int]
    ) -> bool:
        if self is Comparator.TOLERANT:
            return tolerantly_equal(before, after)
        return aligned_equal(
            before,
            after,
            original_runs=runs_of(original, change.replaced),
            mutated_runs=runs_of(mutated, change.replacing),
        )


def tolerantly_equal(original: Sequence[int], mutated: Sequence[int]) -> bool:
    """Return whether two sequences of tags or labels match apart from inserted elements.

    This is the paper's comparison (`tolerantTableComp`, section 3, step 2).

    Sequences of equal length must be equal. A length difference of k allows k unmatched elements.
    Both sequences are traversed in parallel. A mismatch counts as one unmatched element; if fewer
    than k elements were skipped so far, the longer sequence skips one before both move on. Elements
    left at the end of either sequence also count. The element after a skipped one is therefore
    never compared.
    """
    tolerance = abs(len(original) - len(mutated))
    if tolerance == 0:
        return original == mutated
    longer, shorter = sorted((original, mutated), key=len, reverse=True)
    i = j = unmatched = skipped = 0
    while i < len(longer) and j < len(shorter):
        if longer[i] != shorter[j]:
            unmatched += 1
            if skipped < tolerance:
                skipped += 1
                i += 1
        i += 1
        j += 1
    unmatched += max(0, len(longer) - i) + len(shorter) - j
    return unmatched <= tolerance
