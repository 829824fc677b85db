"""Combinations of source terms that can be replaced together in a text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple, Protocol

from .matching import resolve_overlaps
from .occurrences import Occurrence
from .roles import Place
from .same_person import OnePerson

TermPlaces = Mapping[str, Mapping[str, tuple[Place, ...]]]
"""The places that change with each source term of a text, by attribute and term."""


class PlacedTerm(NamedTuple):
    """A source term of an attribute with the places that change with it, from left to right.

    `pairs` are the positions in the dictionary of the pairs that make mutants, None for all of the
    term.
    """

    attribute: str
    source: str
    places: tuple[Place, ...]
    pairs: tuple[int, ...] | None = None

    def moved(self, offset: int) -> "PlacedTerm":
        """Return the term where it is when `offset` characters are put before the text."""
        return self._replace(places=tuple(place.moved(offset) for place in self.places))


class Ruling(NamedTuple):
    """An occurrence, the rule that leaves it alone (or None), and what changes with it.

    `pairs` are the positions in the dictionary of the pairs it takes, None for all of its source.
    """

    occurrence: Occurrence
    rule: str | None
    places: tuple[Place, ...]
    pairs: tuple[int, ...] | None = None

    @property
    def term(self) -> PlacedTerm:
        """What mutants are made of."""
        return PlacedTerm(
            self.occurrence.attribute, self.occurrence.source, self.places, self.pairs
        )


def keep_longest(terms: Sequence[PlacedTerm]) -> Sequence[PlacedTerm]:
    """Return terms with the places that no longer one takes, none where two are the same words."""
    kept = resolve_overlaps({term.source: term.places for term in terms})
    alone = len(kept) == len(terms)
    return [term._replace(places=kept[term.source] if alone else ()) for term in terms]


class Substituting(Protocol):
    """A way to substitute the terms of a dictionary."""

    def places(self, text: str) -> TermPlaces:
        """Return the places of the source terms of a text, by attribute and term."""

    def resolve(self, text: str, terms: Sequence[PlacedTerm]) -> Sequence[PlacedTerm]:
        """Return the source terms of one mutant with the places that are left to each."""

    def one_person(self, text: str, places: Iterable[Place]) -> OnePerson:
        """Tell whether the edits of a mutant, at some places of a text, concern one person."""


@dataclass(frozen=True)
class Combination:
    """The source terms that a mutant replaces, one per attribute, sorted by attribute.

    The mutants of a combination share their places, and so whether they concern one person (None
    for those of one attribute), and differ only in their targets.
    """

    terms: tuple[PlacedTerm, ...]
    one_person: OnePerson | None = None

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The attributes, sorted."""
        return tuple(term.attribute for term in self.terms)


def combinations_of(
    text: str, *, orders: Sequence[int], substituting: Substituting
) -> Iterator[Combination]:
    """Yield every combination that a text allows, order by order.

    A combination in which a term has no place left to itself makes no mutant.
    """
    found = substituting.places(text)
    for order in sorted(orders):
        for attributes in combinations(found, order):
            for sources in product(*(found[attribute] for attribute in attributes)):
                terms = [
                    PlacedTerm(attribute, source, found[attribute][source])
                    for attribute, source in zip(attributes, sources, strict=True)
                ]
                kept = substituting.resolve(text, terms)
                if all(term.places for term in kept):
                    places = (place for term in kept for place in term.places)
                    told = substituting.one_person(text, places) if order > 1 else None
                    yield Combination(tuple(kept), told)
