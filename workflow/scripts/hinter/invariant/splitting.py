"""A deterministic sentence splitter whose decisions are local to one word.

A sentence ends after a word that closes with a full stop, exclamation or question mark (quotes and
brackets may follow), unless the word is an abbreviation or initials, and at every line break, of
which those within sentences are blanks in a plain text.
Nothing else counts, so a substitution can only move a sentence end of its own word, and sentences
can be checked one by one. The splitters of libraries look further and cannot promise this.
"""

import re

from ..mutation import FILLER, LINE_BREAK, Span
from .abbreviations import ABBREVIATIONS

_WORD_AND_GAP = re.compile(r"(\S+)(\s*)")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_OPENING = "\"'“‘«([{"
_CLOSING = "\"'”’»)]}"


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

    If its line `goes_on`, an `x` stands for what follows: a sentence of its own where the last word
    ends one, and otherwise the end of the last sentence.
    """
    return split_sentences(f"{part} x" if goes_on else part)


def is_tail(sentence: str) -> bool:
    """Tell whether the last sentence of a text ends without a word that closes it."""
    return not closes_sentence(sentence.split()[-1])


def closes_sentence(word: str) -> bool:
    """Tell whether a sentence ends after `word` (a run of characters without white space)."""
    bare = word.replace(FILLER, "").rstrip(_CLOSING)
    if not bare.endswith("."):
        return bare.endswith(("!", "?", "…"))
    bare = bare.lstrip(_OPENING)
    return bare not in ABBREVIATIONS and not _INITIALS.fullmatch(bare)
