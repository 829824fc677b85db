"""The edits of many mutants as one column, with texts that are composed once for each target."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..mutation import EDITS, DictionaryIndex, Edit, Role, SpannedTerm, compose

Numbers = npt.NDArray[np.int64]


class EditRows:
    """The edits of mutants, which are added one combination at a time.

    A mutant is a row of numbers: those of its edits with the first targets, and of their texts.
    """

    def __init__(self, index: DictionaryIndex) -> None:
        self._index = index
        self._known: dict[tuple[str, SpannedTerm], tuple[Sequence[Edit], int]] = {}
        self._edits: list[Edit] = []
        self._texts: list[str] = []
        self._rows: list[tuple[Numbers, Numbers]] = []

    def add(self, original: str, terms: Sequence[SpannedTerm], choices: Iterable[Numbers]) -> None:
        """Add mutants of some terms, with the number of the target of each, term by term."""
        if len(terms) > 1 and _meet(terms):
            edits, texts = self._together(original, terms, choices)
        else:
            edits, texts = self._apart(original, terms, choices)
        numbers = len(self._edits) + np.arange(len(edits))
        self._rows.append((np.broadcast_to(numbers, texts.shape), texts))
        self._edits += edits

    def _apart(
        self, original: str, terms: Sequence[SpannedTerm], choices: Iterable[Numbers]
    ) -> tuple[Sequence[Edit], Numbers]:
        """Return the edits of the first mutant, and the numbers of the texts of each mutant."""
        columns: list[tuple[Edit, Numbers]] = []
        for term, chosen in zip(terms, choices, strict=True):
            edits, first = self._composed(original, term)
            columns += [(edit, first + i + len(edits) * chosen) for i, edit in enumerate(edits)]
        columns.sort(key=lambda column: column[0].start)
        return [edit for edit, _ in columns], np.stack([texts for _, texts in columns], axis=-1)

    def _together(
        self, original: str, terms: Sequence[SpannedTerm], choices: Iterable[Numbers]
    ) -> tuple[Sequence[Edit], Numbers]:
        """Return the same as `_apart`, for terms whose edits depend on each other."""
        targets = [self._index.targets_of(term) for term in terms]
        composed = [
            compose(
                original,
                [
                    (term, of_term[choice])
                    for term, of_term, choice in zip(terms, targets, cell, strict=True)
                ],
            )
            for cell in np.stack([*choices], axis=-1).tolist()
        ]
        shape = len(composed), len(composed[0])
        return composed[0], self._numbered(composed) + np.arange(np.prod(shape)).reshape(shape)

    def column(self) -> pa.ListArray:
        """Return the edits of each mutant, in the order in which they were added."""
        sizes = [np.full(*texts.shape) for _, texts in self._rows]
        offsets = np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int32)
        edits, texts = (
            pa.array(np.concatenate([numbers.ravel() for numbers in part]))
            for part in zip(*self._rows, strict=True)
        )
        fields = list(EDITS.value_type)
        columns = zip(*self._edits, strict=True)
        *others, _ = (
            pa.array(column, type=field.type) for column, field in zip(columns, fields, strict=True)
        )
        values = [*(column.take(edits) for column in others), pa.array(self._texts).take(texts)]
        return pa.ListArray.from_arrays(
            pa.array(offsets), pa.StructArray.from_arrays(values, fields=fields)
        )

    def _composed(self, original: str, term: SpannedTerm) -> tuple[Sequence[Edit], int]:
        """Return the edits of a term, and the number of the first one's text.

        The texts for its first target come first, then those for the others.
        """
        if (original, term) not in self._known:
            targets = self._index.targets_of(term)
            composed = [compose(original, [(term, target)]) for target in targets]
            self._known[original, term] = composed[0], self._numbered(composed)
        return self._known[original, term]

    def _numbered(self, composed: Iterable[Sequence[Edit]]) -> int:
        """Add the texts of edits, and return the number of the first."""
        first = len(self._texts)
        self._texts += [edit.text for edits in composed for edit in edits]
        return first


def _meet(terms: Sequence[SpannedTerm]) -> bool:
    """Return whether edits of the terms depend on each other, as those of one person do."""
    return any(one.role is Role.DESCRIPTOR for term in terms for one in term.edit_spans)
