"""One sentence of an original with the source terms that a combination replaces in it.

A mutant's check follows from the checks on its sentences. Each distinct sentence is therefore
rendered, parsed and checked once, however many mutants contain it.

A mutant has the lowest rank of its sentences: its check is that of its failing sentence with the
fewest replaced terms, or the first of several in the text. A sentence with several terms therefore
need not be parsed if the mutant fails in one with fewer terms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, product
from operator import itemgetter
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ..mutation import Combination, SpannedTerm, compose, render
from .comparators import Change, Reason
from .splitting import Sentence, words_with_stops

Scalar = TypeVar("Scalar", bound=np.generic)

UNKNOWN = -1
"""Code of a mutated sentence that no mutant has needed yet."""
SHIFTED = -2
"""Code of a mutated sentence that moves a sentence end."""

Index = tuple[int | slice, ...]
Codes = npt.NDArray[np.int8]
Ranks = npt.NDArray[np.int64]

_CODE_BITS = 3
_CODE = (1 << _CODE_BITS) - 1
# Both are above the ranks of all failing sentences; unchecked is below valid.
VALID = (1 << 61) + Reason.VALID
_UNCHECKED = (1 << 60) + Reason.UNCHECKED


class LocalKey(NamedTuple):
    """A sentence by its position, and the terms replaced in it with their spans in the text."""

    position: int
    terms: tuple[SpannedTerm, ...]


@dataclass(eq=False)
class LocalSentence:
    """All mutated forms of one sentence for one `LocalKey`.

    `targets` has the target terms of each replaced term. A sentence of more than `max_chars`
    characters is not parsed.
    """

    key: LocalKey
    sentence: Sentence
    targets: Sequence[Sequence[str]]
    max_chars: int

    @cached_property
    def codes(self) -> Codes:
        """The check on each mutated form: a `Reason`, `UNKNOWN` or `SHIFTED`.

        The array has an axis per replaced term and a cell per choice of targets.
        """
        if len(self.sentence.text) > self.max_chars:
            codes = self._unparsed()
        else:
            codes = np.full(self.shape, UNKNOWN, dtype=np.int8)
        for cells in self.shifts:
            codes[cells] = SHIFTED
        return codes

    @cached_property
    def ranks(self) -> Ranks:
        """The codes as ranks; only valid when all needed codes are known."""
        # From the highest bits to the lowest: number of terms, position of the sentence, code.
        sentence = (len(self.key.terms) << 32) + self.key.position
        failing = (sentence << _CODE_BITS) + self.codes.astype(np.int64)
        # Cells that no mutant needed count as passed: their mutants fail in another sentence. So do
        # those that move sentence ends: their mutants are checked as a whole.
        passed = np.where(self.codes == Reason.UNCHECKED, _UNCHECKED, VALID)
        return np.where(self.codes > Reason.UNCHECKED, failing, passed)

    @cached_property
    def shifts(self) -> list[Index]:
        """The cells that move sentence ends."""
        edit_spans = (span for term in self._terms for span in term.edit_spans)
        found = []
        for word in words_with_stops(self.sentence, edit_spans):
            terms = [word.part_of(term) for term in self._terms]
            # One choice stands for all targets of a term outside the word.
            choices = [
                enumerate(targets) if term.edit_spans else [(slice(None), "")]
                for term, targets in zip(terms, self.targets, strict=True)
            ]
            for chosen in product(*choices):
                cells, targets = zip(*chosen, strict=True)
                if word.moves_end(compose(word.text, zip(terms, targets, strict=True))):
                    found.append(cells)
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        """How many targets each replaced term has."""
        return tuple(len(terms) for terms in self.targets)

    def change(self, cell: Sequence[int]) -> Change:
        """Return the change that one choice of targets makes; `cell` has an index per term."""
        chosen = [
            (term, targets[choice])
            for term, targets, choice in zip(self._terms, self.targets, cell, strict=True)
        ]
        mutated, spans = render(self.sentence.text, compose(self.sentence.text, chosen))
        return Change(
            self.sentence.text, mutated, tuple(spans), tuple(spans.values()), self.sentence.tail
        )

    def axes(self, combination: Combination) -> tuple[int, ...]:
        """Return which of the combination's terms are replaced here."""
        return tuple(combination.attributes.index(term.attribute) for term in self.key.terms)

    def _unparsed(self) -> Codes:
        """Return the codes of a sentence that is too long to be parsed."""
        codes = np.full(self.shape, Reason.UNCHECKED, dtype=np.int8)
        # Replacements can cancel out, but only if the first one begins like what it replaces.
        first = min(range(len(self._terms)), key=lambda axis: self._terms[axis].edit_spans[0])
        choices: list[Sequence[int]] = [range(size) for size in self.shape]
        choices[first] = [choice for choice in choices[first] if self._begins_alike(first, choice)]
        for cell in product(*choices):
            change = self.change(cell)
            if change.original == change.mutated:
                codes[cell] = Reason.VALID
        return codes

    def _begins_alike(self, axis: int, choice: int) -> bool:
        """Return whether the first edit of a term and what it replaces begin with one another."""
        term = self._terms[axis]
        # The edit of an article needs that of the word after it.
        some = term._replace(edit_spans=term.edit_spans[:2])
        edit = compose(self.sentence.text, [(some, self.targets[axis][choice])])[0]
        found = self.sentence.text[edit.start : edit.end]
        return found.startswith(edit.text) or edit.text.startswith(found)

    @cached_property
    def _terms(self) -> list[SpannedTerm]:
        """The terms, placed in the sentence."""
        return [term.moved(-self.sentence.start) for term in self.key.terms]


def local_keys(combination: Combination, starts: npt.NDArray[np.int64]) -> list[LocalKey]:
    """Return the keys of the sentences that `combination` changes, in text order.

    `starts` are the positions in the text where its sentences start.
    """
    touched: dict[int, list[SpannedTerm]] = {}
    for term in combination.terms:
        begins = [span.start for span in term.edit_spans]
        positions = np.searchsorted(starts, begins, side="right") - 1
        edit_spans = zip(positions.tolist(), term.edit_spans, strict=True)
        for position, group in groupby(edit_spans, key=itemgetter(0)):
            part = term._replace(edit_spans=tuple(span for _, span in group))
            touched.setdefault(position, []).append(part)
    return [LocalKey(position, tuple(touched[position])) for position in sorted(touched)]


def over_axes(
    values: npt.NDArray[Scalar], axes: tuple[int, ...], *, terms: int
) -> npt.NDArray[Scalar]:
    """Return the values of a sentence with an axis for each of a combination's `terms` terms.

    `axes` are the terms replaced in the sentence; the axes of others have length 1, so that values
    of several sentences broadcast over all mutants.
    """
    return values[tuple(slice(None) if axis in axes else None for axis in range(terms))]


def codes_of(ranks: Ranks) -> Codes:
    """Return the codes that ranks were made from."""
    return (ranks & _CODE).astype(np.int8)
