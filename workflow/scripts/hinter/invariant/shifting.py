"""Sentence ends that a substitution may move, which are only in the words that it changes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..mutation import EditSpan, SpannedTerm, compose, render
from .splitting import Sentence, split_part, split_sentences

_SPACE = re.compile(r"\s")


class SentenceSpan(NamedTuple):
    """A changed span of a sentence, and the number of the term that is replaced there."""

    span: EditSpan
    axis: int


@dataclass(frozen=True)
class ChangedWord:
    """Characters of a sentence between white space, and the changed spans in them.

    `counts` is true if a full stop at the end would end a sentence that otherwise continues.
    """

    text: str
    start: int
    edit_spans: tuple[SentenceSpan, ...]
    counts: bool

    def gain(self, targets: Mapping[int, str]) -> int | None:
        """Return how many sentence ends the targets (by axis) add; None if they move none."""
        chosen = (
            (SpannedTerm("", "", (span.moved(-self.start),)), targets[axis])
            for span, axis in self.edit_spans
        )
        mutated, _ = render(self.text, compose(self.text, chosen))
        gain = self._sentences(mutated) - self._sentences(self.text)
        return gain if gain or len(split_sentences(mutated)) > 1 else None

    def _sentences(self, text: str) -> int:
        return len(split_part(text, goes_on=self.counts))


def words_with_stops(
    sentence: Sentence, edit_spans: Iterable[SentenceSpan]
) -> Iterator[ChangedWord]:
    """Yield the words of a sentence that may move its ends, left to right.

    Terms contain no sentence-final punctuation, so only a full stop later in the same word can turn
    an abbreviation into a sentence end, or back.
    """
    text = sentence.text
    for start, end, inside in _words(text, sorted(edit_spans)):
        if "." in text[inside[0].span.end : end]:
            counts = end < len(text) or sentence.ends_by_word
            yield ChangedWord(text[start:end], start, tuple(inside), counts)


def _words(
    sentence: str, edit_spans: Iterable[SentenceSpan]
) -> Iterator[tuple[int, int, list[SentenceSpan]]]:
    start = end = 0
    inside: list[SentenceSpan] = []
    for changed in edit_spans:
        span = changed.span
        if inside and span.start >= end:
            yield start, end, inside
            inside = []
        if not inside:
            start = end = _word_start(sentence, span.start)
        inside.append(changed)
        if span.end >= end:
            end = _word_end(sentence, span.end)
    if inside:
        yield start, end, inside


def _word_start(sentence: str, position: int) -> int:
    while position and not sentence[position - 1].isspace():
        position -= 1
    return position


def _word_end(sentence: str, position: int) -> int:
    space = _SPACE.search(sentence, position)
    return space.start() if space else len(sentence)
