"""Mutants with the places of each of their pairs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..corpora import Text
from ..dictionary import CONTROL, WordPair
from ..lattice import parts_of
from ..mutants import Recipe
from ..mutation import Place, place_pairs, rows_of_places


@dataclass(frozen=True)
class PlacedMutant:
    """A mutant of a text: its pairs, sorted by attribute, each with its places.

    `recorded` tells whether its recipe holds the places, as that of a literal mutant does not, and
    `drawn` whether it was drawn from a sampled order (None: it is of a listed one).
    """

    text: Text
    pairs: Mapping[WordPair, tuple[Place, ...]]
    recorded: bool
    drawn: bool | None

    @classmethod
    def of_row(
        cls, row: Mapping[str, Any], *, text: Text, pairs: Mapping[str, WordPair]
    ) -> "PlacedMutant":
        """Return the mutant in a row of a suite; `pairs` is the dictionary by pair_id."""
        named = [pairs[pair_id] for pair_id in row["pair_ids"]]
        placed = place_pairs(text.text, named, row["places"])
        places = [tuple(change.place for change in changes) for changes in placed]
        recorded = row["places"] is not None
        return cls(text, dict(zip(named, places, strict=True)), recorded, row["drawn"])

    @property
    def mutant_id(self) -> str:
        """Its id: original_id|pair_id|pair_id."""
        return "|".join([self.text.original_id, *(pair.pair_id for pair in self.pairs)])

    def replacing(
        self, pair: WordPair, neutral: WordPair, places: tuple[Place, ...]
    ) -> "PlacedMutant":
        """Return the mutant with a neutral pair in place of one of its pairs."""
        others = {other: kept for other, kept in self.pairs.items() if other != pair}
        ordered = sorted({**others, neutral: places}.items(), key=lambda item: item[0].attribute)
        return replace(self, pairs=dict(ordered))

    def parts(self) -> Iterator["PlacedMutant"]:
        """Yield the sub-mutants that replace the neutral term of a control, and the control."""
        sub_mutant = replace(self, drawn=None if self.drawn is None else False)
        for part in sorted(parts_of(list(self.pairs.items()))[1:-1], key=len):
            if any(pair.attribute == CONTROL for pair, _ in part):
                yield replace(sub_mutant, pairs=dict(part))
        yield self

    def places_but(self, pair: WordPair) -> list[Place]:
        """Return the places of all other pairs."""
        return [place for other, places in self.pairs.items() if other != pair for place in places]

    def recipe(self) -> Recipe:
        """Return what the invariant checks."""
        return Recipe(self.text.text, list(self.pairs), self._places())

    def row(self) -> dict[str, Any]:
        """Return the row of the mutant in a suite; it is valid."""
        return {
            "mutant_id": self.mutant_id,
            "original_id": self.text.original_id,
            "order": len(self.pairs),
            "attributes": "+".join(pair.attribute for pair in self.pairs),
            "pair_ids": [pair.pair_id for pair in self.pairs],
            "places": self._places(),
            "valid": True,
            "drawn": self.drawn,
            "control": True,
        }

    def _places(self) -> list[dict[str, Any]] | None:
        return rows_of_places(self.pairs.values()) if self.recorded else None
