"""A mutant with its control: results/controls/{dataset}.parquet."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from ..dictionary import CONTROL, WordPair
from ..mutation import Mutant, SpannedTerm
from .matching import Likeness

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
