"""One sentence of an original with the source terms that a combination replaces in it.

A mutant's verdict is made of the verdicts of its sentences, so each distinct sentence is rendered,
parsed and judged once, however many mutants hold it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..mutation import Combination, PlacedTerm, Span, Substitution, render_with_spans
from .changes import Change
from .splitting import split_sentences

Codes = npt.NDArray[np.int8]

UNKNOWN = -1
"""Code of a mutated sentence that no mutant has needed yet."""
SHIFTED = -2
"""Code of a mutated sentence whose own sentence ends differ from the original's."""

_REST_OF_WORD = re.compile(r"\S*")


class LocalKey(NamedTuple):
    """A sentence by its position, and the terms replaced in it with their places in the text."""

    position: int
    terms: tuple[PlacedTerm, ...]


@dataclass(eq=False)
class LocalSentence:
    """All mutated forms of one sentence under one `LocalKey`.

    `offset` is the sentence's start in the text, `targets` the target terms of each replaced term.
    """

    key: LocalKey
    sentence: str
    offset: int
    targets: Sequence[Sequence[str]]

    @cached_property
    def codes(self) -> Codes:
        """One axis per replaced term, one cell per choice of targets.

        A cell holds a `Reason`, `UNKNOWN` or `SHIFTED`.
        """
        codes = np.full([len(terms) for terms in self.targets], UNKNOWN, dtype=np.int8)
        if self._may_shift():
            for cell in np.ndindex(*codes.shape):
                if not _ends_alike(self.sentence, self.change(cell).mutated):
                    codes[cell] = SHIFTED
        return codes

    def change(self, cell: Sequence[int]) -> Change:
        """Return what one choice of targets makes of the sentence."""
        substitutions = [
            Substitution((start - self.offset, end - self.offset), targets[choice])
            for term, targets, choice in zip(self.key.terms, self.targets, cell, strict=True)
            for start, end in term.spans
        ]
        mutated, spans = render_with_spans(self.sentence, substitutions)
        return Change(self.sentence, mutated, tuple(spans), tuple(spans.values()))

    def axes(self, combination: Combination) -> tuple[int, ...]:
        """Return which of the combination's terms are replaced here."""
        return tuple(combination.attributes.index(term.attribute) for term in self.key.terms)

    def over_axes(self, axes: tuple[int, ...], *, terms: int) -> Codes:
        """Return the codes with an axis for each of `terms` terms, 1 long for one not in `axes`."""
        return self.codes[tuple(slice(None) if axis in axes else None for axis in range(terms))]

    def _may_shift(self) -> bool:
        # Terms hold no sentence-final punctuation, so only a full stop later in the same word can
        # turn an abbreviation into a sentence end, or back.
        ends = [end - self.offset for term in self.key.terms for _, end in term.spans]
        rests = [_REST_OF_WORD.match(self.sentence, end) for end in ends]
        return any(rest and "." in rest[0] for rest in rests)


def local_keys(combination: Combination, sentences: Sequence[Span]) -> list[LocalKey]:
    """Return the keys of the sentences that `combination` changes, in text order."""
    starts = [start for start, _ in sentences]
    touched: dict[int, list[PlacedTerm]] = {}
    for term in combination.terms:
        positions = np.searchsorted(starts, [start for start, _ in term.spans], side="right") - 1
        places = zip(positions.tolist(), term.spans, strict=True)
        for position, group in groupby(places, key=itemgetter(0)):
            part = term._replace(spans=tuple(span for _, span in group))
            touched.setdefault(position, []).append(part)
    return [LocalKey(position, tuple(touched[position])) for position in sorted(touched)]


def _ends_alike(sentence: str, mutated: str) -> bool:
    """Tell whether `mutated`, like `sentence`, is one sentence, closed or open as that one is."""
    closed, still_closed = (len(split_sentences(f"{text} x")) for text in (sentence, mutated))
    return closed == still_closed and len(split_sentences(mutated)) == 1
