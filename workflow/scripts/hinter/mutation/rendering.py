"""From recipe to text: replacements at their places in the original, in the right case."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..dictionary import WordPair
from .matching import Span, TermMatcher, resolve_overlaps


class Substitution(NamedTuple):
    """A place in the original and the target term that goes there."""

    span: Span
    target: str


def render(original: str, substitutions: Iterable[Substitution]) -> str:
    """Return `original` with every target at its place, in the case of what it replaces."""
    return render_with_spans(original, substitutions)[0]


def render_with_spans(
    original: str, substitutions: Iterable[Substitution]
) -> tuple[str, dict[Span, Span]]:
    """Return the mutated text, and the span in it of each replaced span of the original."""
    parts: list[str] = []
    spans: dict[Span, Span] = {}
    position = length = 0
    for (start, end), target in sorted(substitutions):
        replacement = match_case(original[start:end], target)
        parts += [original[position:start], replacement]
        length += start - position
        spans[start, end] = (length, length + len(replacement))
        length += len(replacement)
        position = end
    return "".join([*parts, original[position:]]), spans


def match_case(found: str, target: str) -> str:
    """Return `target` in the case of `found`: UPPER, Title, or as it is declared.

    Capitals in the declared target (Nigerian) are kept. A single capital letter counts as Title.
    """
    if found.isupper() and sum(map(str.isalpha, found)) > 1:
        return target.upper()
    if found[:1].isupper():
        return target[:1].upper() + target[1:]
    return target


def place_pairs(original: str, pairs: Sequence[WordPair]) -> list[list[Substitution]]:
    """Return the substitutions of each of a mutant's pairs, in the order of `pairs`."""
    found = TermMatcher(pair.source for pair in pairs).find(original)
    kept = resolve_overlaps({pair.source: found.get(pair.source, []) for pair in pairs})
    return [[Substitution(span, pair.target) for span in kept[pair.source]] for pair in pairs]
