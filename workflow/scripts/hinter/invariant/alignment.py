"""The comparison of two parses token by token, outside and inside the replaced spans."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..mutation import Span
from .parsing import Parse


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
