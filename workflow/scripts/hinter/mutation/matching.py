"""Whole-word, case-insensitive occurrences of source terms in a text."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from typing import TypeVar

from ahocorasick_rs import AhoCorasick

from .agreement import EditSpan
from .plain import LINE_BREAK, Span, fold

AnySpan = TypeVar("AnySpan", Span, EditSpan)

_HYPHENS = ("-", "\N{SOFT HYPHEN}", "\N{HYPHEN}", "\N{NON-BREAKING HYPHEN}")
_ALIKE = str.maketrans(
    dict.fromkeys("‘’ʼ＇", "'")
    | dict.fromkeys((*_HYPHENS[2:], "\N{SMALL HYPHEN-MINUS}", "\N{FULLWIDTH HYPHEN-MINUS}"), "-")
)
"""Apostrophes and hyphens, each with all variants that count as equal."""
_BRACKET_BEFORE = re.compile(r"\w\)\Z")
_BRACKET_AFTER = re.compile(r"\(\w+\)")
_HYPHEN_AND_NEXT = re.compile(rf"[{re.escape(''.join(_HYPHENS))}](\s*)(\S)")


class TermMatcher:
    """Finds all given terms in one pass over a text (Aho-Corasick)."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = sorted(set(terms))
        self._automaton = AhoCorasick([_sought(fold(term).text) for term in self._terms])

    def find(self, text: str) -> dict[str, list[Span]]:
        """Return the whole-word occurrences of each term that has any, left to right.

        Occurrences of different terms may overlap; those of one term do not. Variants of white
        space, accents, apostrophes and hyphens count as equal, but no term extends across a line
        break or markup.
        """
        folded = fold(text)
        sought = _sought(folded.text)
        found: dict[str, list[Span]] = {}
        for index, *span in self._automaton.find_matches_as_indexes(sought, overlapping=True):
            start, end = span
            spans = found.setdefault(self._terms[index], [])
            if is_whole_word(folded.text, (start, end)) and (not spans or spans[-1][1] <= start):
                spans.append((start, end))
        return {term: [*starmap(folded.span, found[term])] for term in sorted(found) if found[term]}


def is_whole_word(text: str, span: Span) -> bool:
    """Return whether no letter, mark, digit or joining hyphen touches `span` on either side.

    For example, "man" occurs in "man's" and "man--who", but not in "woman", "(wo)man" or
    "man-made". A hyphen at the end of a line joins the two parts of a word, and so does a hyphen
    before white space and a lower-case letter ("man- date"), as lines may have been joined.
    """
    start, end = span
    return not (
        is_word_character(text[start - 1 : start])
        or is_word_character(text[end : end + 1])
        or _BRACKET_BEFORE.search(text, max(0, start - 2), start)
        or _BRACKET_AFTER.match(text, end)
        or _is_joined_before(text, start)
        or _is_joined_after(text, end)
    )


def _is_joined_before(text: str, start: int) -> bool:
    end = start
    while text[end - 1 : end].isspace():
        end -= 1
    before, gap = text[max(0, end - 2) : end], text[end:start]
    joins = not gap or LINE_BREAK.search(gap) is not None
    return joins and before.endswith(_HYPHENS) and is_word_character(before[:-1])


def _is_joined_after(text: str, end: int) -> bool:
    found = _HYPHEN_AND_NEXT.match(text, end)
    if found is None:
        return False
    gap, following = found.groups()
    joins = not gap or LINE_BREAK.search(gap) is not None or following.islower()
    return joins and is_word_character(following)


def is_word_character(character: str) -> bool:
    """Return whether `character` (one or none) is a letter, mark, number or underscore."""
    return character == "_" or unicodedata.category(character or " ")[0] in "LMN"


def resolve_overlaps(spans: Mapping[str, Sequence[AnySpan]]) -> dict[str, tuple[AnySpan, ...]]:
    """Return the occurrences that each term of a mutant keeps, given all occurrences of each.

    The longest source term comes first, and equally long ones in the order given; an occurrence
    that overlaps one already taken is dropped.
    """
    taken: list[Span] = []
    kept: dict[str, tuple[AnySpan, ...]] = {}
    for term in sorted(spans, key=len, reverse=True):
        own: tuple[AnySpan, ...] = tuple(span for span in spans[term] if not _overlaps(span, taken))
        taken = sorted([*taken, *((span[0], span[1]) for span in own)])
        kept[term] = own
    return {term: kept[term] for term in spans}


def _overlaps(span: Span | EditSpan, taken: Sequence[Span]) -> bool:
    """Return whether a span overlaps one of those taken, which are sorted and disjoint."""
    start, end = span[0], span[1]
    following = bisect_left(taken, (end, end))
    return following > 0 and taken[following - 1][1] > start


def _sought(folded: str) -> str:
    """Return a text in the form that is searched for terms: lower case, with the same length."""
    text = folded.translate(_ALIKE)
    # Lower-casing makes a few capitals longer, such as the dotted I, which would shift positions.
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)
