"""A mutant with its control, and the neutral terms of a text that can stand in for a sensitive one.

Matches are rows of results/controls/{dataset}.parquet.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pyarrow as pa

from ..dictionary import CONTROL, WordPair
from ..mutation import EditSpan, Mutant, Role, Span, SpannedTerm

CONTROLS_SCHEMA = pa.schema(
    [
        ("mutant_id", pa.string()),
        ("control_id", pa.string()),
        ("pair_id", pa.string()),
        ("control_pair_id", pa.string()),
        ("more_places", pa.int32()),
        ("other_class", pa.bool_()),
        ("distance", pa.int32()),
        ("more_words", pa.int32()),
        ("neutral_id", pa.string()),
        ("neutral_more_words", pa.int32()),
    ]
)
RULES_OF_ANY_WORD = frozenset({"broken_word", "compound", "defined_term", "part_of_longer_term"})
"""The rules that also apply to neutral terms: the others are about what a word says of a person."""


def of_neutral(mutation: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the settings of a study's operators for neutral pairs."""
    return [
        {**one, "occurrences": [rule for rule in one["occurrences"] if rule in RULES_OF_ANY_WORD]}
        for one in mutation
    ]


class Likeness(NamedTuple):
    """How much a neutral term differs from a sensitive one, in the order of importance.

    `more_places`: how many more or fewer spans it has. `other_class`: whether they have no word
    class in common. `distance`: the characters between the first span of each.
    """

    more_places: int
    other_class: bool
    distance: int


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
        (
            Likeness(
                abs(len(_main(sensitive)) - len(_main(edit_spans))),
                not set(classes) & set(classes_of[term]),
                abs(min(sensitive).start - min(edit_spans).start),
            ),
            term,
        )
        for term, edit_spans in neutral.items()
        if edit_spans and not overlap(sensitive, edit_spans)
    )


def overlap(some: Sequence[EditSpan], others: Sequence[EditSpan]) -> bool:
    """Return whether any two spans share a character; articles are left out."""
    ordered = sorted(_main([*some, *others]))
    return any(end > start for (_, end), (start, _) in pairwise(ordered))


def _main(edit_spans: Sequence[EditSpan]) -> list[Span]:
    """Return the spans without those of articles, which only agree with a term."""
    return [one.span for one in edit_spans if one.role is not Role.ARTICLE]


Terms = Mapping[WordPair, SpannedTerm]
"""The source term of each pair with all its spans, some of which a longer term may take."""


class Match(NamedTuple):
    """A mutant and its control, in which a neutral pair stands in for one of its pairs.

    `terms` are those of the control, and `parts` its parts with a neutral pair: first the new
    neutral edit alone, last the control. `further` is the control's own control, in which one more
    sensitive pair is replaced.
    """

    mutant: Mutant
    pair: WordPair
    neutral: WordPair
    likeness: Likeness
    terms: Terms
    parts: Sequence[Mutant]
    further: "Match | None" = None

    @property
    def neutral_parts(self) -> Sequence[Mutant]:
        """The parts of the intersectional mutant's neutral + neutral control, if there is one."""
        if self.further is None:
            return ()
        left = sensitive(self.further.terms)
        return self.further.neutral_parts if left else self.further.parts

    def row(self) -> dict[str, Any]:
        """Return the match as a row of `CONTROLS_SCHEMA`.

        `more_words` and `neutral_more_words` are how many more words the mutant has than each
        control.
        """
        neutral = self.neutral_parts[-1] if self.neutral_parts else None
        return {
            "mutant_id": self.mutant.mutant_id,
            "control_id": self.parts[-1].mutant_id,
            "pair_id": self.pair.pair_id,
            "control_pair_id": self.neutral.pair_id,
            **self.likeness._asdict(),
            "more_words": self._more_words(self.parts[-1]),
            "neutral_id": neutral.mutant_id if neutral else None,
            "neutral_more_words": self._more_words(neutral) if neutral else None,
        }

    def _more_words(self, control: Mutant) -> int:
        return self.mutant.added_words - control.added_words


def sensitive(terms: Terms) -> list[WordPair]:
    """Return the pairs that are not neutral."""
    return [pair for pair in terms if pair.attribute != CONTROL]
