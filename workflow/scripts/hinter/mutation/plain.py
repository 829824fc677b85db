"""Texts as a person sees them, with every character at its position in the original.

Plain texts are searched for terms and parsed; edits are made in the originals.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..markup import replace_markup
from .folding import FILLER, LINE_BREAK, MARK

WIDEST = 120
"""The longest line, in characters, of a text that is broken into lines of one width."""
NARROWEST = 20
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"\r\n|" + LINE_BREAK.pattern)
_ONE_LINE = frozenset({"\n", "\r", "\r\n", "\x85", "\u2028"})
"""The line ends that do not end a paragraph, as all others do."""
_ITEM = re.compile(r"(?:[-*•–—·]|\(?(?:\w{1,2}|[ivxlc]+)[.)])\s")
_WORD = re.compile(r"\S+")
_INDENT = re.compile(r"[ \t]*")
_QUOTED = re.compile(rf"(?:[ \t]*>{FILLER}*)*")
_HYPHENATED = re.compile(r"\w[-\N{SOFT HYPHEN}\N{HYPHEN}]\Z")


@lru_cache(maxsize=8)
def plain(text: str) -> str:
    """Return a text without markup and with blanks for line breaks within sentences.

    It has the length of the text. `MARK` replaces markup; `FILLER` follows the character of an
    entity, and fills the gap between the parts of a word that a line break separates. Blanks
    replace the signs before quoted lines (> she left), and form feeds begin and end these.

    A line break that does not end a paragraph is within a sentence if the next line continues in
    lower case. In a text in which most lines do, it is also if the next line's first word would
    have made the line too long.
    """
    shown = _without_quotes(replace_markup(text, by=_filled))
    if not LINE_BREAK.search(shown):
        return shown
    parts: list[str] = []
    position = 0
    for gap in _soft_gaps(shown):
        parts += [shown[position : gap.start], gap.joined(shown)]
        position = gap.end
    return "".join([*parts, shown[position:]])


def _without_quotes(text: str) -> str:
    """Return a text with blanks for the signs before quoted lines, and form feeds around these."""
    if ">" not in text:
        return text
    shown, depth = [], 0
    for line in text.split("\n"):
        signs = _QUOTED.match(line)[0]  # type: ignore[index]
        shown += ["\n" if signs.count(">") == depth else "\f", " " * len(signs), line[len(signs) :]]
        depth = signs.count(">")
    return "".join(shown[1:])


def _filled(mark: str, read: str) -> str:
    return read.ljust(len(mark), FILLER if mark[0] == "&" else MARK)


class _Gap(NamedTuple):
    """White space with one line break, the start of its line, and whether it separates a word.

    The hyphen of a separated word belongs to the gap. The next line is indented by `deeper`
    characters more than its line.
    """

    start: int
    end: int
    line: int
    parts_word: bool
    deeper: int

    @property
    def length(self) -> int:
        """The length of its line."""
        return self.start - self.line

    def joined(self, text: str) -> str:
        """Return the replacement of the gap if the sentence continues."""
        length = self.end - self.start
        if not self.parts_word:
            return " " * length
        hyphen = text[self.start]
        return (FILLER if text[self.end].islower() else hyphen) + FILLER * (length - 1)


def _soft_gaps(text: str) -> Iterator[_Gap]:
    """Yield the gaps within sentences."""
    gaps = [*_gaps(text)]
    going_on = {gap for gap in gaps if _goes_on(gap, text)}
    width = max((gap.length for gap in going_on), default=0)
    open_lines = sum(gap.length >= NARROWEST and text[gap.start - 1] not in ".!?" for gap in gaps)
    wrapped = NARROWEST <= width <= WIDEST and 2 * len(going_on) >= open_lines
    for gap in gaps:
        if gap in going_on or gap.parts_word or (wrapped and _is_full(gap, text, width=width)):
            yield gap


def _gaps(text: str) -> Iterator[_Gap]:
    """Yield the gaps between lines of a paragraph."""
    line = 0
    for found in _SPACE.finditer(text):
        start, end = found.span()
        ends = [*_LINE_END.finditer(found[0])]
        if start and end < len(text) and [one[0] in _ONE_LINE for one in ends] == [True]:
            before = text[max(0, start - 2) : start]
            parts_word = bool(_HYPHENATED.match(before)) and text[end].isalnum()
            own = _INDENT.match(text, line)
            deeper = end - start - ends[0].end() - (len(own[0]) if own else 0)
            yield _Gap(start - parts_word, end, line, parts_word, deeper)
        if ends:
            line = start + ends[-1].end()


def _goes_on(gap: _Gap, text: str) -> bool:
    """Return whether the next line begins like the rest of a sentence."""
    return (
        text[gap.start - 1] not in ":;"
        and (text[gap.end].islower() or text[gap.end] in ",;)")
        and not _ITEM.match(text, gap.end)
    )


def _is_full(gap: _Gap, text: str, *, width: int) -> bool:
    """Return whether the next line's first word would have made a line longer than `width`."""
    word = _WORD.match(text, gap.end)
    length = gap.length + 1 + (len(word[0]) if word else 0)
    return length > width and gap.deeper <= 1 and not _ITEM.match(text, gap.end)
