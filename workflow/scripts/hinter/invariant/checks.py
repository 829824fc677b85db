"""The checks on all mutants of one combination, computed from those on its sentences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..corpora import Text
from ..mutation import Combination
from .comparators import Reason
from .local import SHIFTED, VALID, Codes, LocalSentence, Ranks, codes_of, over_axes

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Checks:
    """The checks on the mutants of one combination of one text.

    `shape` has an axis per term, whose length is its number of pairs. `parts` are the sentences
    that the combination changes; `moved` has the checks on mutants that move sentence ends.
    """

    text: Text
    combination: Combination
    parts: Sequence[LocalSentence]
    shape: tuple[int, ...]
    moved: Mapping[Cell, Reason] = field(default_factory=dict)

    @cached_property
    def codes(self) -> Codes:
        """The `Reason` of every mutant."""
        codes = codes_of(_least((layer for _, layer in self._layers()), shape=self.shape))
        for cell, reason in self.moved.items():
            codes[cell] = reason
        return codes

    def counts(self) -> npt.NDArray[np.int64]:
        """Return how many mutants have each `Reason`.

        Terms that share no sentence are independent, so mutants need not be enumerated.
        """
        if self.moved:
            return np.bincount(self.codes.ravel(), minlength=len(Reason))
        groups = [ranks.ravel() for ranks in self._independent()]
        # The product, over groups, of the number of ranks of at least r counts the mutants whose
        # minimum is at least r. Minus that of the next higher rank, it counts those with r.
        ranks = np.unique(np.concatenate(groups))
        not_less = np.ones(len(ranks) + 1, dtype=np.int64)
        not_less[-1] = 0
        for group in groups:
            not_less[:-1] *= len(group) - np.searchsorted(np.sort(group), ranks)
        counts = np.zeros(len(Reason), dtype=np.int64)
        np.add.at(counts, codes_of(ranks), not_less[:-1] - not_less[1:])
        return counts

    def shifted_cells(self) -> list[Cell]:
        """Return the mutants that move sentence ends."""
        shifting = [part for part in self.parts if part.shifts]
        # Most combinations move none, and may have millions of mutants.
        shifted = np.zeros(self.shape if shifting else 0, dtype=bool)
        for part in shifting:
            axes = part.axes(self.combination)
            shifted |= over_axes(part.codes, axes, terms=len(self.shape)) == SHIFTED
        return [tuple(cell) for cell in np.argwhere(shifted).tolist()]

    def _layers(self) -> Iterator[tuple[set[int], Ranks]]:
        """Yield groups of axes, each with ranks that depend only on these axes."""
        # These are not kept: a long text has millions of them.
        for part in self.parts:
            axes = part.axes(self.combination)
            yield set(axes), over_axes(part.ranks, axes, terms=len(self.shape))

    def _independent(self) -> list[Ranks]:
        """Return the least ranks of each group of axes that are linked by shared sentences."""
        groups: list[set[int]] = []
        layers = list(self._layers())
        # Each layer merges the groups that it touches: connected components of axes.
        for axes, _ in layers:
            apart = [group for group in groups if not group & axes]
            groups = [*apart, axes.union(*(group for group in groups if group & axes))]
        return [
            _least(
                (ranks for axes, ranks in layers if group.issuperset(axes)),
                shape=tuple(size if axis in group else 1 for axis, size in enumerate(self.shape)),
            )
            for group in groups
        ]


def _least(layers: Iterable[Ranks], *, shape: tuple[int, ...]) -> Ranks:
    least = np.full(shape, VALID, dtype=np.int64)
    for layer in layers:
        np.minimum(least, layer, out=least)
    return least
