"""The verdicts on all mutants of one combination, kept as those on its sentences.

A mutant's verdict is that of its failing sentence with fewest replaced terms, and of these of the
first in the text. So a sentence with several terms need not be parsed where a part of the mutant
fails already.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..corpora import Text
from ..mutation import Combination
from .local import SHIFTED, Codes, LocalSentence
from .reasons import Reason

Cell = tuple[int, ...]
Values = npt.NDArray[np.int64]

_CODE_BITS = 3
_CODE = (1 << _CODE_BITS) - 1
# Above the value of every failing sentence, and of an unchecked one below that of a valid one.
_VALID = (1 << 61) + Reason.VALID
_UNCHECKED = (1 << 60) + Reason.UNCHECKED


@dataclass(frozen=True)
class Verdicts:
    """The mutants of one combination of one text: one axis per term, in the order of its pairs.

    `parts` are the sentences it changes, `moved` the verdicts on mutants whose sentence ends are
    not the original's.
    """

    text: Text
    combination: Combination
    parts: Sequence[LocalSentence]
    shape: tuple[int, ...]
    moved: Mapping[Cell, Reason] = field(default_factory=dict)

    @cached_property
    def codes(self) -> Codes:
        """The `Reason` of every mutant."""
        values = _least(self._layers, shape=self.shape)
        codes = (values & _CODE).astype(np.int8)
        for cell, reason in self.moved.items():
            codes[cell] = reason
        return codes

    def counts(self) -> npt.NDArray[np.int64]:
        """Return how many mutants have each `Reason`.

        Axes that share no sentence are independent, so their mutants are counted, not enumerated.
        """
        if self.moved:
            return np.bincount(self.codes.ravel(), minlength=len(Reason))
        return _count_least([values.ravel() for values in self._independent()])

    def shifted_cells(self) -> list[Cell]:
        """Return the mutants in which a sentence end of the original moved."""
        shifted = np.zeros(self.shape, dtype=bool)
        for part in self.parts:
            if (part.codes == SHIFTED).any():
                shifted |= self._codes_of(part) == SHIFTED
        return [tuple(cell) for cell in np.argwhere(shifted).tolist()]

    @cached_property
    def _layers(self) -> list[Values]:
        return [_values(part, self._codes_of(part)) for part in self.parts]

    def _codes_of(self, part: LocalSentence) -> Codes:
        return part.over_axes(part.axes(self.combination), terms=len(self.shape))

    def _independent(self) -> list[Values]:
        """Return the least values over each group of axes that share sentences."""
        groups: list[set[int]] = []
        for part in self.parts:
            axes = set(part.axes(self.combination))
            apart = [group for group in groups if not group & axes]
            groups = [*apart, axes.union(*(group for group in groups if group & axes))]
        return [self._least_over(group) for group in groups]

    def _least_over(self, axes: set[int]) -> Values:
        shape = tuple(size if axis in axes else 1 for axis, size in enumerate(self.shape))
        layers = [
            layer
            for part, layer in zip(self.parts, self._layers, strict=True)
            if axes.issuperset(part.axes(self.combination))
        ]
        return _least(layers, shape=shape)


def _values(part: LocalSentence, codes: Codes) -> Values:
    """Return numbers that sort as the rule above, with the code in the lowest bits.

    Cells that nothing depends on count as passed: their mutants fail in another sentence.
    """
    rank = (len(part.key.terms) << 32) + part.key.position
    failing = (rank << _CODE_BITS) + codes.astype(np.int64)
    passed = np.where(codes == Reason.UNCHECKED, _UNCHECKED, _VALID)
    return np.where(codes > Reason.UNCHECKED, failing, passed)


def _least(layers: Iterable[Values], *, shape: tuple[int, ...]) -> Values:
    least = np.full(shape, _VALID, dtype=np.int64)
    for layer in layers:
        least = np.minimum(least, layer)
    return least


def _count_least(groups: Sequence[Values]) -> npt.NDArray[np.int64]:
    """Return by code how often it is that of the least value, over all choices of one per group."""
    values = np.unique(np.concatenate(groups))
    not_less = np.ones(len(values) + 1, dtype=np.int64)
    not_less[-1] = 0
    for group in groups:
        not_less[:-1] *= len(group) - np.searchsorted(np.sort(group), values)
    counts = np.zeros(len(Reason), dtype=np.int64)
    np.add.at(counts, values & _CODE, not_less[:-1] - not_less[1:])
    return counts
