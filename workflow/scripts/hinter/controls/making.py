"""The controls of a suite, matched to its mutants and checked: results/controls/{dataset}.parquet.

A control is the mutant in which a neutral term stands in for one of the sensitive ones: of an
atomic mutant, a harmless edit alone; of an intersectional one, a harmless edit beside the rest. It
is valid with all its sub-mutants, so that its bias can be hidden as well.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import Any, NamedTuple

import pyarrow as pa

from ..dictionary import CONTROL, WordPair
from ..invariant import Invariant, Reason
from ..mutants import check_recipes
from ..mutation import Literal, Place, Selective
from .matching import Likeness, overlap, rank_neutral
from .placed import PlacedMutant

CANDIDATES = 6
"""How many neutral terms are tried for a sensitive one, as some break the structure."""

CONTROLS_SCHEMA = pa.schema(
    [
        ("mutant_id", pa.string()),
        ("control_id", pa.string()),
        ("pair_id", pa.string()),
        ("control_pair_id", pa.string()),
        ("more_places", pa.int32()),
        ("other_class", pa.bool_()),
        ("distance", pa.int32()),
    ]
)

Classes = Mapping[tuple[str, str], Collection[str]]
"""The word classes of each term, by attribute and term."""


class Match(NamedTuple):
    """A mutant and its control, in which a neutral pair stands in for one of its pairs."""

    mutant: PlacedMutant
    pair: WordPair
    neutral: WordPair
    likeness: Likeness
    control: PlacedMutant

    @property
    def edit(self) -> PlacedMutant:
        """The harmless edit by itself."""
        return next(self.control.parts())

    def row(self) -> dict[str, Any]:
        """Return the match as a row of `CONTROLS_SCHEMA`."""
        return {
            "mutant_id": self.mutant.mutant_id,
            "control_id": self.control.mutant_id,
            "pair_id": self.pair.pair_id,
            "control_pair_id": self.neutral.pair_id,
            **self.likeness._asdict(),
        }


@dataclass(frozen=True)
class ControlMaker:
    """Finds the controls of mutants.

    `substituting` places neutral pairs. Which of a mutant's pairs is replaced is drawn by a hash
    with the `seed`, another one where this makes no control. The neutral term most like its term
    stands in, or the next one where that breaks the structure of the text by itself.
    """

    substituting: Literal | Selective
    invariant: Invariant
    classes: Classes
    seed: int

    def match(self, mutants: Sequence[PlacedMutant]) -> dict[str, Match]:
        """Return the controls of mutants by mutant_id, of those that have one."""
        texts = {mutant.text.original_id: mutant.text for mutant in mutants}
        neutral = {
            original_id: self.substituting.places(text.text)[CONTROL]
            for original_id, text in texts.items()
        }
        matches = [
            match
            for mutant in mutants
            for match in self._matches(mutant, neutral[mutant.text.original_id])
        ]
        edits = [match.edit for match in matches]
        harmless = self._valid(edits)
        tried: dict[tuple[str, WordPair], Match] = {}
        for match, edit in zip(matches, edits, strict=True):
            if edit.mutant_id in harmless:
                tried.setdefault((match.mutant.mutant_id, match.pair), match)
        valid = self._valid(part for match in tried.values() for part in match.control.parts())
        found: dict[str, Match] = {}
        for match in tried.values():
            if all(part.mutant_id in valid for part in match.control.parts()):
                found.setdefault(match.mutant.mutant_id, match)
        return found

    def _matches(
        self, mutant: PlacedMutant, neutral: Mapping[str, tuple[Place, ...]]
    ) -> Iterator[Match]:
        """Yield what may become of a mutant, the best first."""
        for pair in sorted(mutant.pairs, key=lambda pair: self._lot(mutant, pair)):
            others = mutant.places_but(pair)
            free = {term: places for term, places in neutral.items() if not overlap(others, places)}
            ranked = rank_neutral(
                mutant.pairs[pair],
                free,
                classes=self._classes_of(pair),
                classes_of={term: self.classes[CONTROL, term] for term in free},
            )
            for likeness, term in ranked[:CANDIDATES]:
                neutral_pair = self._pair_of(term)
                control = mutant.replacing(pair, neutral_pair, free[term])
                yield Match(mutant, pair, neutral_pair, likeness, control)

    def _lot(self, mutant: PlacedMutant, pair: WordPair) -> str:
        return md5(f"{self.seed}:{mutant.mutant_id}:{pair.pair_id}".encode()).hexdigest()

    def _classes_of(self, pair: WordPair) -> Collection[str]:
        return self.classes[pair.attribute, pair.source]

    def _pair_of(self, term: str) -> WordPair:
        index = self.substituting.index
        return index.pairs[int(index.by_source[CONTROL][term][0])]

    def _valid(self, mutants: Iterable[PlacedMutant]) -> set[str]:
        """Return the ids of the valid ones among mutants, which may be repeated."""
        distinct = {mutant.mutant_id: mutant for mutant in mutants}
        recipes = [one.recipe() for one in distinct.values()]
        [reasons] = check_recipes(recipes, by=[self.invariant])
        return {
            mutant_id
            for mutant_id, reason in zip(distinct, reasons, strict=True)
            if reason == Reason.VALID
        }
