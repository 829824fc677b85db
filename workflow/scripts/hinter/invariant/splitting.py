"""A deterministic sentence splitter whose decisions are local to one word.

A sentence ends after a word that closes with a full stop, exclamation or question mark (quotes and
brackets may follow), unless the word is an abbreviation or initials, and at every line break; in
plain texts, line breaks within sentences are blanks. Nothing else counts, so a substitution can
only move the sentence end of its own word, and sentences can be checked one by one. Libraries'
splitters look further and cannot guarantee this.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import NamedTuple

from ..mutation import FILLER, LINE_BREAK, Edit, EditSpan, Role, Span, SpannedTerm, render
from ..yaml_files import data_of

_SPACE = re.compile(r"\s")
_WORD_AND_GAP = re.compile(r"(\S+)(\s*)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_OPENING = "\"'“‘«([{"
_CLOSING = "\"'”’»)]}"
_HOURS = [f"{hour}{half}.m." for hour in range(1, 13) for half in "ap"]

ABBREVIATIONS = frozenset(chain(_HOURS, *data_of(__file__).values()))
"""Words whose full stop does not end a sentence: spaCy's English ones, without initials."""


def split_sentences(text: str) -> list[Span]:
    """Return start and end of each sentence of `text`, without the white space around it."""
    sentences = []
    start = None
    for match in _WORD_AND_GAP.finditer(text):
        start = match.start() if start is None else start
        if closes_sentence(match[1]) or LINE_BREAK.search(match[2]):
            sentences.append((start, match.end(1)))
            start = None
    if start is not None:
        sentences.append((start, len(text.rstrip())))
    return sentences


def split_part(part: str, *, goes_on: bool) -> list[Span]:
    """Return the sentences of a part of a text.

    If its line `goes_on`, an `x` stands for the text that follows. It is a separate sentence if the
    last word ends one, and otherwise belongs to the last sentence.
    """
    return split_sentences(f"{part} x" if goes_on else part)


def is_tail(sentence: str) -> bool:
    """Return whether the last sentence of a text ends without a word that closes it."""
    return not closes_sentence(sentence.split()[-1])


def closes_sentence(word: str) -> bool:
    """Return whether a sentence ends after `word` (a run of characters without white space)."""
    bare = word.replace(FILLER, "").rstrip(_CLOSING)
    if not bare.endswith("."):
        return bare.endswith(("!", "?", "…"))
    bare = bare.lstrip(_OPENING)
    return bare not in ABBREVIATIONS and not _INITIALS.fullmatch(bare)


class Sentence(NamedTuple):
    """A sentence, its start in the text, and whether only its last word ends it.

    A line break or the end of the text ends it, whatever its last word is. It is a `tail` if only
    the end of the text does.
    """

    text: str
    start: int
    ends_by_word: bool
    tail: bool


def sentences_of(text: str) -> list[Sentence]:
    """Return the sentences of a text, in order."""
    spans = split_sentences(text)
    return [
        Sentence(
            text[start:end],
            start,
            following is not None and LINE_BREAK.search(text, end, following[0]) is None,
            following is None and is_tail(text[start:end]),
        )
        for (start, end), following in zip_longest(spans, spans[1:])
    ]


class Word(NamedTuple):
    """Characters of a sentence between white space, and their start in it.

    Changed spans and the words on both sides of white space in them are one word. It `goes_on` if a
    full stop at its end would end a sentence that otherwise continues.
    """

    text: str
    start: int
    goes_on: bool

    def part_of(self, term: SpannedTerm) -> SpannedTerm:
        """Return a term of the sentence with only its spans in the word, placed in it."""
        end = self.start + len(self.text)
        own = tuple(span for span in term.edit_spans if self.start <= span.start < end)
        return term._replace(edit_spans=own).moved(-self.start)

    def moves_end(self, edits: Iterable[Edit]) -> bool:
        """Return whether edits of the word add, remove or move a sentence end."""
        mutated, _ = render(self.text, edits)
        before, after = (
            len(split_part(text, goes_on=self.goes_on)) for text in (self.text, mutated)
        )
        return before != after or len(split_sentences(mutated)) > 1


def words_with_stops(sentence: Sentence, edit_spans: Iterable[EditSpan]) -> Iterator[Word]:
    """Yield the words of a sentence that may move its ends, left to right.

    Terms contain no sentence-final punctuation, so only a full stop later in the same word can turn
    an abbreviation into a sentence end, or back.
    """
    spans = sorted(one.span for one in edit_spans)
    marks = (Edit("", start, end, Role.TERM, "_" * (end - start)) for start, end in spans)
    joined, _ = render(sentence.text, marks)
    end = 0
    for first, last in spans:
        if first < end:
            continue
        start = first
        while start and not joined[start - 1].isspace():
            start -= 1
        space = _SPACE.search(joined, start)
        end = space.start() if space else len(joined)
        if "." in sentence.text[last:end]:
            goes_on = end < len(joined) or sentence.ends_by_word
            yield Word(sentence.text[start:end], start, goes_on)
