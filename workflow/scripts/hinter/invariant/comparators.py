"""How an original sentence and its mutated form are compared."""

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum, StrEnum
from itertools import pairwise
from typing import NamedTuple

from ..mutation import Span
from .parsing import Parse

DIGEST_SIZE = 16
"""Enough bytes to rule out that two changes of a study have the same digest."""


class Reason(IntEnum):
    """The check on a sentence or a mutant; all but `VALID` are written as the mutant's reason.

    `UNCHECKED`: neither valid nor discarded, because a sentence is longer than the limit. Greater
    values discard.
    """

    VALID = 0
    UNCHECKED = 1
    SENTENCE_COUNT = 2
    POS = 3
    DEP = 4


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


class Run(NamedTuple):
    """Neighbouring tokens that all lie inside replaced spans, or all outside."""

    inside: bool
    tokens: range


def runs_of(parse: Parse, spans: Sequence[Span]) -> list[Run]:
    """Return the runs of a parsed sentence; a token is inside if it overlaps one of `spans`.

    An empty span between tokens outside gives an empty run inside.
    """
    flags = [*_inside(parse.token_spans, spans)]
    starts = [start for start, _ in parse.token_spans]
    empty = {bisect_left(starts, start) for start, end in spans if start == end}
    bounds = [
        number
        for number in range(len(flags))
        if number in {0, *empty} or flags[number - 1] != flags[number]
    ]
    runs: list[Run] = []
    for first, end in pairwise([*bounds, len(flags)]):
        if first in empty and not flags[first] and not (runs and runs[-1].inside):
            runs.append(Run(True, range(first, first)))
        runs.append(Run(flags[first], range(first, end)))
    return runs


def _inside(token_spans: Sequence[Span], spans: Sequence[Span]) -> Iterator[bool]:
    position = 0
    for start, end in token_spans:
        while position < len(spans) and spans[position][1] <= start:
            position += 1
        yield position < len(spans) and spans[position][0] < end


def aligned_equal(
    original: Sequence[int],
    mutated: Sequence[int],
    *,
    original_runs: Sequence[Run],
    mutated_runs: Sequence[Run],
) -> bool:
    """Return whether two sequences of tags or labels differ only by tokens inside replaced spans.

    Outside runs must be equal. Of two inside runs, the shorter must be a subsequence of the longer,
    so a replacement may also have fewer tokens than what it replaces.
    """
    if [run.inside for run in original_runs] != [run.inside for run in mutated_runs]:
        return False
    return all(
        _run_equal(
            [original[position] for position in before.tokens],
            [mutated[position] for position in after.tokens],
            inside=before.inside,
        )
        for before, after in zip(original_runs, mutated_runs, strict=True)
    )


def _run_equal(original: Sequence[int], mutated: Sequence[int], *, inside: bool) -> bool:
    if not inside or len(original) == len(mutated):
        return original == mutated
    shorter, longer = sorted((original, mutated), key=len)
    rest = iter(longer)
    return all(element in rest for element in shorter)


def arcs_of(
    heads: Sequence[int], runs: Sequence[Run], *, added: Collection[int] = ()
) -> set[tuple[int, int]]:
    """Return the arcs (dependent, head) of a tree; each inside run counts as a single node.

    `heads` has the position of each token's head. A root has an arc to itself. The arcs of the runs
    with the numbers in `added`, for which the original has no tokens, are left out. Equal sets mean
    that two trees agree outside the replaced spans.
    """
    nodes: list[int] = []
    own: set[int] = set()
    first = 0
    for number, run in enumerate(runs):
        size = 1 if run.inside else len(run.tokens)
        nodes += [first] * len(run.tokens) if run.inside else range(first, first + size)
        own |= {first} if number in added else set()
        first += size
    return {
        (node, nodes[head])
        for position, (node, head) in enumerate(zip(nodes, heads, strict=True))
        if node not in own and (node != nodes[head] or head == position)
    }
