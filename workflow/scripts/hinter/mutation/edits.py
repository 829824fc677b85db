"""The edits of a mutant, composed of its terms and their targets."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import pyarrow as pa

from .agreement import EditSpan, Role, counterpart, indefinite_article, is_right_before, pronoun
from .combinations import SpannedTerm
from .plain import Span, fold, plain

EDITS = pa.list_(
    pa.struct(
        [
            ("attribute", pa.string()),
            ("start", pa.int32()),
            ("end", pa.int32()),
            ("role", pa.string()),
            ("text", pa.string()),
        ]
    )
)
"""The type of a recipe's edits in Parquet files."""


_POSSESSIVE = re.compile(r"(?<=\w)['’](?:[sS])?\Z")


class Edit(NamedTuple):
    """The text that replaces the characters from `start` to `end` of the original.

    An article has the attribute of the words after it.
    """

    attribute: str
    start: int
    end: int
    role: Role
    text: str

    @property
    def edit_span(self) -> EditSpan:
        """Its span and role."""
        return EditSpan(self.start, self.end, self.role)

    def moved(self, offset: int) -> "Edit":
        """Return the edit moved by `offset` characters."""
        return self._replace(start=self.start + offset, end=self.end + offset)


def compose(original: str, chosen: Iterable[tuple[SpannedTerm, str]]) -> tuple[Edit, ...]:
    """Return the edits that replace each term by a target, from left to right."""
    spanned = sorted(
        (
            (edit_span, term.attribute, target)
            for term, target in chosen
            for edit_span in term.edit_spans
        ),
        key=lambda spanned: (spanned[0].span, spanned[0].rank),
    )
    shown = plain(original)
    edits = (
        Edit(attribute, start, end, role, wording(fold(shown[start:end]).text, role, target))
        for (start, end, role, _), attribute, target in spanned
    )
    return agreeing(original, edits)


def agreeing(original: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return edits with articles that agree with the words after them, each of them once.

    The edit of an article is dropped if the words after it do not change in the `original`.
    """
    shown = plain(original)
    agreed: list[Edit] = []
    for edit, behind in pairwise([*edits, None]):
        if edit is not None and edit.role is not Role.ARTICLE:
            agreed.append(edit)
        elif edit and behind and is_right_before(fold(shown[edit.end : behind.start]).text):
            found, word = (fold(shown[one.start : one.end]).text for one in (edit, behind))
            # In capitals (A MAN), initialisms cannot be distinguished from other words.
            if found.isupper() and word.isupper() and len(word) > 1:
                text = indefinite_article(behind.text.lower()).upper()
            else:
                text = match_case(found, indefinite_article(behind.text))
            agreed.append(edit._replace(attribute=behind.attribute, text=text))
    return tuple(agreed)


def render(original: str, edits: Iterable[Edit]) -> tuple[str, dict[Span, Span]]:
    """Return the mutated text, and the span in it of each replaced span of the original.

    Consecutive insertions at one position have one span, without the space after them.
    """
    parts: list[str] = []
    spans: dict[Span, Span] = {}
    position = length = 0
    for _, start, end, role, text in edits:
        parts += [original[position:start], text]
        length += start - position
        first, _ = spans.get((start, end), (length, length))
        shown = text.rstrip() if role is Role.DESCRIPTOR else text
        spans[start, end] = (first, length + len(shown))
        length += len(text)
        position = end
    return "".join([*parts, original[position:]]), spans


def wording(found: str, role: Role, target: str) -> str:
    """Return the replacement of `found`, which has the given role, if a term becomes `target`.

    It takes the case of `found`. Words that need no change are returned unchanged, and so is an
    article, as it depends on the words that will follow it.
    """
    if role is Role.ARTICLE:
        return found
    if role is Role.DESCRIPTOR:
        return f"{target} "
    if role is Role.TERM:
        ending = _POSSESSIVE.search(found)
        if ending and not _POSSESSIVE.search(target):
            return match_case(found[: ending.start()], target) + possessive(target, ending[0])
        return match_case(found, target)
    if role is Role.NOUN:
        return match_case(found, counterpart(found, target=target))
    return match_case(found, pronoun(found, role=role, target=target))


def possessive(target: str, found: str) -> str:
    """Return the ending of a possessive after a target, with the apostrophe that was `found`.

    Plurals in s have only an apostrophe (girls', women's, actress's).
    """
    plural = target.endswith("s") and not target.endswith("ss")
    letter = "S" if found.isupper() else "s"
    return found[0] if plural else found[0] + (found[1:] or letter)


def match_case(found: str, target: str) -> str:
    """Return `target` in the case pattern of `found`: UPPER, Title, or as declared.

    Capitals of the declared target (Nigerian) are never lost. A single capital letter counts as
    Title.
    """
    if found.isupper() and sum(map(str.isalpha, found)) > 1:
        return target.upper()
    if found[:1].isupper():
        return target[:1].upper() + target[1:]
    return target
