"""What a reader sees of a mutant: the changed sentences in their context, before and after."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..invariant import split_sentences
from ..mutation import Mutant, Span

LEFT_OUT = " […] "
"""Stands for the sentences between two passages."""


class Part(NamedTuple):
    """A piece of a text, and whether it is replaced in the mutant."""

    text: str
    replaced: bool = False


def passages_of(mutant: Mutant) -> tuple[list[Part], list[Part]]:
    """Return the changed sentences before and after, with one neighbour on each side."""
    spans = mutant.spans
    return list(_parts(mutant.original, spans)), list(_parts(mutant.text, spans.values()))


def _parts(text: str, replaced: Collection[Span]) -> Iterator[Part]:
    for number, (start, end) in enumerate(_passages(text, replaced)):
        if number:
            yield Part(LEFT_OUT)
        position = start
        for first, last in sorted(span for span in replaced if start <= span[0] < end):
            yield Part(text[position:first])
            yield Part(text[first:last], replaced=True)
            position = last
        yield Part(text[position:end])


def _passages(text: str, replaced: Collection[Span]) -> list[Span]:
    """Return the runs of sentences that are replaced ones or next to them."""
    sentences = split_sentences(text)
    changed = [
        number
        for number, (start, end) in enumerate(sentences)
        if any(first < end and start < last for first, last in replaced)
    ]
    shown = sorted({near for number in changed for near in (number - 1, number, number + 1)})
    shown = [number for number in shown if 0 <= number < len(sentences)]
    starts = [number for number in shown if number - 1 not in shown]
    ends = [number for number in shown if number + 1 not in shown]
    return [
        (sentences[first][0], sentences[last][1]) for first, last in zip(starts, ends, strict=True)
    ]
