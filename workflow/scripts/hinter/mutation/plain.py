"""Texts as a person sees them, with every character at its position in the original.

Plain texts are searched for terms and parsed; edits are made in the originals. Folded texts have
one spelling for those that look the same: white space, zero-width signs, accents, ligatures.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..markup import replace_markup

Span = tuple[int, int]
"""Start and end of an occurrence, in characters of the original."""
LINE_BREAK = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What ends a line or a paragraph."""
FILLER = "\N{ZERO WIDTH SPACE}"
MARK = "\x1f"
"""White space that replaces markup, across which no term extends."""
_BLANKS = (" ", MARK, "\n")
"""White space is folded to the last of these signs that it contains."""
_UNUSUAL = re.compile(r"[^\S ]|  |[^\x00-\x7f]")
_PIECE = re.compile(r"\s+|[!-~]+(?![\u0300-\u036f])|\S[\u0300-\u036f]*")
_SOFT_HYPHEN = "\N{SOFT HYPHEN}"
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


class Folded(NamedTuple):
    """A text in one spelling, and the start and end of each of its characters in the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @property
    def line(self) -> str:
        """The text in one line, with a blank for all white space."""
        return self.text.replace(MARK, " ").replace("\n", " ")

    def span(self, start: int, end: int) -> Span:
        """Return the span in the original of a span of the text."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Return a text with one blank for white space, composed accents, and no zero-width signs.

    White space with a line break, or with a `MARK`, is folded to that.
    """
    if not _UNUSUAL.search(text):
        return Folded(text, range(len(text)), range(1, len(text) + 1))
    shown: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece, start, end in _pieces(text):
        if piece.isspace() and shown and shown[-1].isspace():
            # Only zero-width signs are between both.
            shown[-1], ends[-1] = max(shown[-1], piece, key=_BLANKS.index), end
            continue
        shown += piece
        if len(piece) == end - start:
            starts += range(start, end)
            ends += range(start + 1, end + 1)
        else:
            starts += [start] * len(piece)
            ends += [end] * len(piece)
    return Folded("".join(shown), starts, ends)


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each folded piece of a text, which may be empty, with its span."""
    for found in _PIECE.finditer(text):
        piece, (start, end) = found[0], found.span()
        if piece.isspace():
            breaks = LINE_BREAK.search(piece)
            yield "\n" if breaks else MARK if MARK in piece else " ", start, end
        elif piece.isascii():
            yield piece, start, end
        elif shown := _shown(piece, text[end : end + 1]):
            yield shown, start, end


def _shown(piece: str, following: str) -> str:
    """Return the visible form of a letter with its accents, or of another sign."""
    if piece == _SOFT_HYPHEN and following.isspace():
        return "-"
    if unicodedata.category(piece[0]) == "Cf":
        return piece[1:]
    composed = unicodedata.normalize("NFC", piece)
    letters = unicodedata.normalize("NFKC", composed)
    is_ligature = composed.isalpha() and len(letters) > len(composed) and letters.isascii()
    return letters if is_ligature else composed


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
