"""One spelling for those that look the same: white space, zero-width signs, accents, ligatures."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .roles import Span

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
        if start == end:
            position = self.starts[start] if start < len(self.starts) else self.ends[-1]
            return position, position
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
