"""One sentence of an original with the source terms that a combination replaces in it.

A mutant's check follows from the checks on its sentences. Each distinct sentence is therefore
rendered, parsed and checked once, however many mutants contain it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import groupby, pairwise, product
from operator import itemgetter
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ..mutation import Combination, Role, SpannedTerm, compose, render
from .changes import Change
from .ranking import Codes, Ranks, ranks_of
from .reasons import Reason
from .shifting import SentenceSpan, words_with_stops
from .splitting import Sentence

Scalar = TypeVar("Scalar", bound=np.generic)

UNKNOWN = -1
"""Code of a mutated sentence that no mutant has needed yet."""
SHIFTED = -2
"""Code of a mutated sentence that moves a sentence end."""

Index = tuple[int | slice, ...]


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
        for cells, _ in self.shifts:
            codes[cells] = SHIFTED
        return codes

    @cached_property
    def ranks(self) -> Ranks:
        """The codes as ranks; only valid when all needed codes are known."""
        return ranks_of(self.codes, terms=len(self.key.terms), position=self.key.position)

    @cached_property
    def shifts(self) -> list[tuple[Index, int]]:
        """The cells that move sentence ends, each with the number of ends that it gains."""
        edit_spans = [
            SentenceSpan(span_of_edit, axis)
            for axis, term in enumerate(self._terms)
            for span_of_edit in term.edit_spans
        ]
        found = []
        for word in words_with_stops(self.sentence, edit_spans):
            axes = sorted({span_of_edit.axis for span_of_edit in word.edit_spans})
            for choices in product(*(range(self.shape[axis]) for axis in axes)):
                chosen = dict(zip(axes, choices, strict=True))
                gain = word.gain({axis: self.targets[axis][chosen[axis]] for axis in axes})
                if gain is not None:
                    cells = tuple(chosen.get(axis, slice(None)) for axis in range(len(self.shape)))
                    found.append((cells, gain))
        return found

    @property
    def gains(self) -> npt.NDArray[np.int64]:
        """How many sentence ends each cell gains."""
        gains = np.zeros(self.shape, dtype=np.int64)
        for cells, gain in self.shifts:
            gains[cells] += gain
        return gains

    @property
    def shape(self) -> tuple[int, ...]:
        """How many targets each replaced term has."""
        return tuple(len(terms) for terms in self.targets)

    def change(self, cell: Sequence[int]) -> Change:
        """Return the change that one choice of targets makes; `cell` has an index per term."""
        mutated, spans = render(self.sentence.text, compose(self.sentence.text, self._chosen(cell)))
        return Change(
            self.sentence.text, mutated, tuple(spans), tuple(spans.values()), self.sentence.tail
        )

    def axes(self, combination: Combination) -> tuple[int, ...]:
        """Return which of the combination's terms are replaced here."""
        return tuple(combination.attributes.index(term.attribute) for term in self.key.terms)

    def _unparsed(self) -> Codes:
        """Return the codes of a sentence that is too long to be parsed."""
        growth = reduce(np.add.outer, [self._growth(axis) for axis in range(len(self.shape))])
        codes = np.full(growth.shape, Reason.UNCHECKED, dtype=np.int8)
        # Replacements can cancel out.
        for cell in np.argwhere(growth == 0).tolist():
            if self._is_unchanged(cell):
                codes[tuple(cell)] = Reason.VALID
        return codes

    def _growth(self, axis: int) -> npt.NDArray[np.int64]:
        """Return by how many characters each target of a term lengthens the sentence."""
        forms = Counter(_forms(self.sentence.text, self._terms[axis]))
        return np.array(
            [
                sum(count * _growth(*form, target=target) for form, count in forms.items())
                for target in self.targets[axis]
            ]
        )

    def _is_unchanged(self, cell: Sequence[int]) -> bool:
        term, target = min(self._chosen(cell), key=lambda chosen: chosen[0].edit_spans[0])
        first = term._replace(edit_spans=term.edit_spans[:2])
        edit = compose(self.sentence.text, [(first, target)])[0]
        found = self.sentence.text[edit.start : edit.end]
        # If neither begins with the other, the texts differ, and nothing needs to be rendered.
        if not (found.startswith(edit.text) or edit.text.startswith(found)):
            return False
        change = self.change(cell)
        return change.original == change.mutated

    def _chosen(self, cell: Sequence[int]) -> list[tuple[SpannedTerm, str]]:
        """Return the terms, placed in the sentence, with the targets of a cell."""
        chosen = zip(self._terms, self.targets, cell, strict=True)
        return [(term, targets[choice]) for term, targets, choice in chosen]

    @cached_property
    def _terms(self) -> list[SpannedTerm]:
        """The terms, placed in the sentence."""
        return [term.moved(-self.sentence.start) for term in self.key.terms]


def _forms(sentence: str, term: SpannedTerm) -> Iterator[tuple[str, SpannedTerm]]:
    """Yield each span of a term, with an article before it, as a separate text."""
    for before, span_of_edit in pairwise((None, *term.edit_spans)):
        if span_of_edit and span_of_edit.role is not Role.ARTICLE:
            own = (
                (before, span_of_edit)
                if before and before.role is Role.ARTICLE
                else (span_of_edit,)
            )
            start = own[0].start
            yield sentence[start : span_of_edit.end], term._replace(edit_spans=own).moved(-start)


def _growth(form: str, term: SpannedTerm, *, target: str) -> int:
    return len(render(form, compose(form, [(term, target)]))[0]) - len(form)


def local_keys(combination: Combination, starts: npt.NDArray[np.int64]) -> list[LocalKey]:
    """Return the keys of the sentences that `combination` changes, in text order.

    `starts` are the positions in the text where its sentences start.
    """
    touched: dict[int, list[SpannedTerm]] = {}
    for term in combination.terms:
        begins = [span_of_edit.start for span_of_edit in term.edit_spans]
        positions = np.searchsorted(starts, begins, side="right") - 1
        edit_spans = zip(positions.tolist(), term.edit_spans, strict=True)
        for position, group in groupby(edit_spans, key=itemgetter(0)):
            part = term._replace(edit_spans=tuple(span_of_edit for _, span_of_edit in group))
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
