"""The sentences of an original, each with what follows it."""

from itertools import zip_longest
from typing import NamedTuple

from ..mutation import LINE_BREAK
from .splitting import is_tail, split_sentences


class Sentence(NamedTuple):
    """A sentence, where it starts in its text, and whether only its last word ends it.

    A line break, or the end of the text, ends it whatever its last word is. It is a `tail` if
    nothing else does than the end of the text.
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
