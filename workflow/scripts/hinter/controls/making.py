"""The controls of a suite, matched to its mutants and checked: results/controls/{dataset}.parquet.

A control is the mutant in which a neutral term stands in for one of the sensitive ones: of an
atomic mutant, a harmless edit alone; of an intersectional one, a harmless edit beside the rest. It
is valid with all its sub-mutants, so that its bias can be hidden as well.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import md5
from itertools import islice
from typing import Any, NamedTuple

import pyarrow as pa

from ..dictionary import CONTROL, WordPair
from ..invariant import Invariant, Reason
from ..lattice import parts_of
from ..mutants import check_recipes
from ..mutation import (
    Describing,
    Literal,
    Mutant,
    OnePerson,
    Place,
    PlacedTerm,
    Selective,
    compose,
    place_terms,
)
from .matching import Likeness, overlap, rank_neutral

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


Terms = Mapping[WordPair, PlacedTerm]
"""The source term of each pair, at all its places, some of which a longer term may take."""


class Match(NamedTuple):
    """A mutant and its control, in which a neutral pair stands in for one of its pairs.

    `parts` are the parts of the control that have the neutral pair: first the harmless edit by
    itself, last the control.
    """

    mutant: Mutant
    pair: WordPair
    neutral: WordPair
    likeness: Likeness
    parts: Sequence[Mutant]

    def row(self) -> dict[str, Any]:
        """Return the match as a row of `CONTROLS_SCHEMA`."""
        return {
            "mutant_id": self.mutant.mutant_id,
            "control_id": self.parts[-1].mutant_id,
            "pair_id": self.pair.pair_id,
            "control_pair_id": self.neutral.pair_id,
            **self.likeness._asdict(),
        }


@dataclass(frozen=True)
class ControlMaker:
    """Finds the controls of mutants, whose `pairs` are given by pair_id.

    `substituting` places neutral pairs. Which of a mutant's pairs is replaced is drawn by a hash
    with the `seed`, another one where this makes no control. The neutral term most like its term
    stands in, or the next one where that breaks the structure of the text by itself.
    """

    substituting: Literal | Selective | Describing
    pairs: Mapping[str, WordPair]
    invariant: Invariant
    classes: Classes
    seed: int

    def match(self, mutants: Sequence[Mutant]) -> dict[str, Match]:
        """Return the controls of mutants by mutant_id, of those that have one."""
        texts = {mutant.original_id: mutant.original for mutant in mutants}
        neutral = {key: self.substituting.places(text)[CONTROL] for key, text in texts.items()}
        matches = [
            match
            for mutant in mutants
            for match in self._matches(mutant, neutral[mutant.original_id])
        ]
        harmless = self._valid(match.parts[0] for match in matches)
        tried: dict[tuple[str, WordPair], Match] = {}
        for match in matches:
            if match.parts[0].mutant_id in harmless:
                tried.setdefault((match.mutant.mutant_id, match.pair), match)
        valid = self._valid(part for match in tried.values() for part in match.parts)
        found: dict[str, Match] = {}
        for match in tried.values():
            if all(part.mutant_id in valid for part in match.parts):
                found.setdefault(match.mutant.mutant_id, match)
        return found

    def one_person(self, control: Mutant) -> OnePerson | None:
        """Tell whether a control, or a part of one, concerns one person; None for one pair."""
        places = [edit.place for edit in control.edits]
        several = len(control.pair_ids) > 1
        return self.substituting.one_person(control.original, places) if several else None

    def _matches(self, mutant: Mutant, neutral: Mapping[str, tuple[Place, ...]]) -> Iterator[Match]:
        """Yield what may become of a mutant, the best first."""
        terms = self._terms(mutant)
        for pair in sorted(terms, key=lambda pair: self._lot(mutant, pair)):
            own, others = _places(mutant, pair)
            free = {term: places for term, places in neutral.items() if not overlap(others, places)}
            ranked = rank_neutral(
                own,
                free,
                classes=self._classes_of(pair),
                classes_of={term: self.classes[CONTROL, term] for term in free},
            )
            rest = {other: term for other, term in terms.items() if other != pair}
            # Only the term at the same mention, which is the nearest, describes the same person.
            near = ranked[:1] if isinstance(self.substituting, Describing) else ranked
            candidates = (
                (likeness, term, stand_in)
                for likeness, term in near
                for stand_in in self._neutral_pairs(mutant, pair, term)
            )
            for likeness, term, stand_in in islice(candidates, CANDIDATES):
                terms_of_control = {**rest, stand_in: PlacedTerm(CONTROL, term, free[term])}
                parts = self._parts(mutant, terms_of_control)
                yield Match(mutant, pair, stand_in, likeness, parts)

    def _terms(self, mutant: Mutant) -> Terms:
        pairs = [self.pairs[pair_id] for pair_id in mutant.pair_ids]
        if isinstance(self.substituting, Literal):
            return {pair: place_terms(mutant.original, [pair])[0] for pair in pairs}
        return {
            pair: PlacedTerm(pair.attribute, pair.source, self._ranked(mutant, pair))
            for pair in pairs
        }

    def _ranked(self, mutant: Mutant, pair: WordPair) -> tuple[Place, ...]:
        """Return the places of a pair, with its attribute's rank where persons are described."""
        own, _ = _places(mutant, pair)
        if not isinstance(self.substituting, Describing):
            return tuple(own)
        rank = self.substituting.words.ranks[pair.attribute]
        return tuple(place._replace(rank=rank) for place in own)

    def _parts(self, mutant: Mutant, terms: Terms) -> list[Mutant]:
        """Return the mutants of some of the terms, the neutral one among them."""
        ordered = sorted(terms, key=lambda pair: pair.attribute)
        return [
            self._part(mutant, [(pair, terms[pair]) for pair in part])
            for part in sorted(parts_of(ordered), key=len)
            if any(pair.attribute == CONTROL for pair in part)
        ]

    def _part(self, mutant: Mutant, terms: Sequence[tuple[WordPair, PlacedTerm]]) -> Mutant:
        placed: Sequence[PlacedTerm] = [term for _, term in terms]
        if isinstance(self.substituting, Literal):
            placed = self.substituting.resolve(mutant.original, placed)
        chosen = [(term, pair.target) for term, (pair, _) in zip(placed, terms, strict=True)]
        pair_ids = tuple(pair.pair_id for pair, _ in terms)
        return replace(mutant, pair_ids=pair_ids, edits=compose(mutant.original, chosen))

    def _lot(self, mutant: Mutant, pair: WordPair, *, of: str = "") -> str:
        return md5(f"{self.seed}:{mutant.mutant_id}:{pair.pair_id}{of}".encode()).hexdigest()

    def _classes_of(self, pair: WordPair) -> Collection[str]:
        return self.classes[pair.attribute, pair.source]

    def _neutral_pairs(self, mutant: Mutant, pair: WordPair, term: str) -> list[WordPair]:
        """Return the neutral pairs of a term in a seeded order of their own for each mutant."""
        index = self.substituting.index
        pairs = [index.pairs[position] for position in index.by_source[CONTROL][term]]
        return sorted(pairs, key=lambda neutral: self._lot(mutant, neutral, of=pair.pair_id))

    def _valid(self, mutants: Iterable[Mutant]) -> set[str]:
        """Return the ids of the valid ones among mutants, which may be repeated."""
        distinct = {mutant.mutant_id: mutant for mutant in mutants}
        [reasons] = check_recipes(list(distinct.values()), by=[self.invariant])
        return {
            mutant_id
            for mutant_id, reason in zip(distinct, reasons, strict=True)
            if reason == Reason.VALID
        }


def _places(mutant: Mutant, pair: WordPair) -> tuple[list[Place], list[Place]]:
    """Return the places of a pair of a mutant, and those of all others."""
    own = [edit.place for edit in mutant.edits if edit.attribute == pair.attribute]
    others = [edit.place for edit in mutant.edits if edit.attribute != pair.attribute]
    return own, others
