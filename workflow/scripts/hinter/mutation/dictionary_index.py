"""The word pairs arranged for enumeration: by attribute, then by source term."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..dictionary import WordPair
from .combinations import SpannedTerm
from .matching import TermMatcher


@dataclass(frozen=True)
class DictionaryIndex:
    """Word pairs, identified by their position in `pairs`."""

    pairs: Sequence[WordPair]

    @cached_property
    def by_source(self) -> dict[str, dict[str, npt.NDArray[np.int32]]]:
        """Positions of the pairs of each source term (an int32 array) by attribute and term."""
        grouped: dict[str, dict[str, list[int]]] = {}
        for position, pair in enumerate(self.pairs):
            terms = grouped.setdefault(pair.attribute, {})
            terms.setdefault(pair.source, []).append(position)
        return {
            attribute: {
                term: np.array(grouped[attribute][term], dtype=np.int32)
                for term in sorted(grouped[attribute])
            }
            for attribute in sorted(grouped)
        }

    @cached_property
    def operator(self) -> str | None:
        """The operator of the pairs, or None without any."""
        return next((pair.operator for pair in self.pairs), None)

    @cached_property
    def matcher(self) -> TermMatcher:
        """The matcher of all source terms."""
        return TermMatcher(pair.source for pair in self.pairs)

    @cached_property
    def pair_ids(self) -> pa.Array:
        """The id of each pair, by its position."""
        return pa.array([pair.pair_id for pair in self.pairs], type=pa.string())

    def positions(self, term: SpannedTerm) -> npt.NDArray[np.int32]:
        """Return the positions of the pairs with which a term makes mutants."""
        if term.pairs is None:
            return self.by_source[term.attribute][term.source]
        return np.array(term.pairs, dtype=np.int32)

    def targets_of(self, term: SpannedTerm) -> list[str]:
        """Return the target terms with which a term makes mutants, in the order of its pairs."""
        return [self.pairs[position].target for position in self.positions(term)]
