"""Which neutral terms of a text can stand in for a sensitive term, and how they are substituted."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..dictionary import WordPair
from ..mutation import Annotating, EditSpan, Operating, Role, operating_by

RULES_OF_ANY_WORD = frozenset({"broken_word", "compound", "defined_term", "part_of_longer_term"})
"""The rules that also apply to neutral terms: the others are about what a word says of a person."""


def neutral_substituting(
    mutation: Sequence[Mapping[str, Any]],
    *,
    pairs: Sequence[WordPair],
    annotator: Callable[[], Annotating],
) -> dict[str, Operating]:
    """Return the substitution of neutral `pairs` in a study with this `mutation`, by operator."""
    neutral = [
        {**one, "occurrences": [rule for rule in one["occurrences"] if rule in RULES_OF_ANY_WORD]}
        for one in mutation
    ]
    return operating_by(neutral, pairs=pairs, annotator=annotator)


class Likeness(NamedTuple):
    """How much a neutral term differs from a sensitive one, in the order of importance.

    `more_places`: how many more or fewer spans it has. `other_class`: whether they have no word
    class in common. `distance`: the characters between the first span of each.
    """

    more_places: int
    other_class: bool
    distance: int


def likeness(
    sensitive: Sequence[EditSpan],
    neutral: Sequence[EditSpan],
    *,
    classes: Collection[str],
    neutral_classes: Collection[str],
) -> Likeness:
    """Return the likeness of two terms, given their spans in a text and their word classes."""
    return Likeness(
        abs(count_spans(sensitive) - count_spans(neutral)),
        not set(classes) & set(neutral_classes),
        abs(_first(sensitive) - _first(neutral)),
    )


def rank_neutral(
    sensitive: Sequence[EditSpan],
    neutral: Mapping[str, Sequence[EditSpan]],
    *,
    classes: Collection[str],
    classes_of: Mapping[str, Collection[str]],
) -> list[tuple[Likeness, str]]:
    """Return the neutral terms of a text by likeness, and by name if they are equally alike.

    `neutral` has the spans of each, `classes_of` their word classes, and `classes` those of the
    sensitive term.
    """
    return sorted(
        (likeness(sensitive, edit_spans, classes=classes, neutral_classes=classes_of[term]), term)
        for term, edit_spans in neutral.items()
        if edit_spans and not overlap(sensitive, edit_spans)
    )


def count_spans(edit_spans: Sequence[EditSpan]) -> int:
    """Return the number of spans, without those of articles, which only agree with a term."""
    return sum(one.role is not Role.ARTICLE for one in edit_spans)


def overlap(some: Sequence[EditSpan], others: Sequence[EditSpan]) -> bool:
    """Return whether any two spans share a character; articles are left out, as they only agree."""
    ordered = sorted(one.span for one in (*some, *others) if one.role is not Role.ARTICLE)
    return any(end > start for (_, end), (start, _) in pairwise(ordered))


def _first(edit_spans: Sequence[EditSpan]) -> int:
    return min(one.start for one in edit_spans)
