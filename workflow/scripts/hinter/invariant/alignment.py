"""Comparing two parses token by token, outside and inside the replaced spans."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from ..mutation import Span
from .parsing import Parse


class Run(NamedTuple):
    """Neighbouring tokens that all lie inside replaced spans, or all outside."""

    inside: bool
    tokens: range


def runs_of(parse: Parse, spans: Sequence[Span]) -> list[Run]:
    """Return the runs of a parsed sentence; a token is inside if it overlaps one of `spans`."""
    runs: list[Run] = []
    flags = enumerate(_inside(parse.places, spans))
    for inside, group in groupby(flags, key=itemgetter(1)):
        positions = [position for position, _ in group]
        runs.append(Run(inside, range(positions[0], positions[-1] + 1)))
    return runs


def _inside(places: Sequence[Span], spans: Sequence[Span]) -> Iterator[bool]:
    position = 0
    for start, end in places:
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
    """Tell whether two sequences of tags or labels differ only by tokens inside replaced spans.

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


def arcs_of(heads: Sequence[int], runs: Sequence[Run]) -> set[tuple[int, int]]:
    """Return the arcs (dependent, head) of a tree; each inside run counts as a single node.

    `heads` holds the position of each token's head. A root has an arc to itself. Equal sets mean
    that two trees agree where nothing was replaced.
    """
    nodes: list[int] = []
    for run in runs:
        first = nodes[-1] + 1 if nodes else 0
        nodes += [first] * len(run.tokens) if run.inside else range(first, first + len(run.tokens))
    return {
        (node, nodes[head])
        for position, (node, head) in enumerate(zip(nodes, heads, strict=True))
        if node != nodes[head] or head == position
    }
