"""The edits of many mutants as one column, with texts that are composed once for each target."""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..mutation import EDITS, DictionaryIndex, Edit, Role, SpannedTerm, compose

Numbers = npt.NDArray[np.int64]


class EditRows:
    """The edits of mutants, which are added one combination at a time.

    A mutant is a row with the numbers of its edits.
    """

    def __init__(self, index: DictionaryIndex) -> None:
        self._index = index
        self._known: dict[tuple[str, SpannedTerm], Numbers] = {}
        self._edits: list[Edit] = []
        self._rows: list[Numbers] = []

    def add(self, original: str, terms: Sequence[SpannedTerm], choices: Iterable[Numbers]) -> None:
        """Add mutants of some terms, with the number of the target of each, term by term."""
        if len(terms) > 1 and _meet(terms):
            targets = [self._index.targets_of(term) for term in terms]
            mutants = [
                [of_term[choice] for of_term, choice in zip(targets, cell, strict=True)]
                for cell in np.stack([*choices], axis=-1).tolist()
            ]
            self._rows.append(self._numbered(original, terms, mutants))
            return
        apart = (
            self._of_term(original, term)[chosen]
            for term, chosen in zip(terms, choices, strict=True)
        )
        numbers = np.concatenate([*apart], axis=-1)
        starts = [self._edits[number].start for number in numbers[0]]
        self._rows.append(numbers[:, np.argsort(starts, kind="stable")])

    def column(self) -> pa.ListArray:
        """Return the edits of each mutant, in the order in which they were added."""
        sizes = np.concatenate([np.full(*numbers.shape) for numbers in self._rows])
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        numbers = np.concatenate([numbers.ravel() for numbers in self._rows])
        fields = list(EDITS.value_type)
        columns = zip(zip(*self._edits, strict=True), fields, strict=True)
        edits = pa.StructArray.from_arrays(
            [pa.array(column, type=field.type) for column, field in columns], fields=fields
        )
        return pa.ListArray.from_arrays(pa.array(offsets), edits.take(pa.array(numbers)))

    def _of_term(self, original: str, term: SpannedTerm) -> Numbers:
        """Return the numbers of the edits of a term, in a row for each of its targets."""
        if (original, term) not in self._known:
            targets = [[target] for target in self._index.targets_of(term)]
            self._known[original, term] = self._numbered(original, [term], targets)
        return self._known[original, term]

    def _numbered(
        self, original: str, terms: Sequence[SpannedTerm], mutants: Iterable[Sequence[str]]
    ) -> Numbers:
        """Add the edits of mutants with these targets, and return their numbers, row by row."""
        composed = [compose(original, zip(terms, targets, strict=True)) for targets in mutants]
        first, shape = len(self._edits), (len(composed), len(composed[0]))
        self._edits += chain.from_iterable(composed)
        return np.arange(first, len(self._edits)).reshape(shape)


def _meet(terms: Sequence[SpannedTerm]) -> bool:
    """Return whether edits of the terms depend on each other, as those of one person do."""
    return any(one.role is Role.DESCRIPTOR for term in terms for one in term.edit_spans)
