"""Combinations of source terms that can be replaced together in a text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

from .dictionary_index import DictionaryIndex
from .matching import Span, resolve_overlaps


class PlacedTerm(NamedTuple):
    """A source term of an attribute with the places where it is replaced."""

    attribute: str
    source: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Combination:
    """The source terms that a mutant replaces, one per attribute, sorted by attribute.

    The mutants of a combination share their places and differ only in their targets.
    """

    terms: tuple[PlacedTerm, ...]

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The attributes, sorted."""
        return tuple(term.attribute for term in self.terms)


def combinations_of(
    found: Mapping[str, list[Span]], *, index: DictionaryIndex, orders: Sequence[int]
) -> Iterator[Combination]:
    """Yield every combination of the given `orders`, order by order.

    `found` holds the occurrences in the text by term. A combination in which a term has no
    occurrence left to itself makes no mutant.
    """
    terms = {
        attribute: [term for term in sources if term in found]
        for attribute, sources in index.by_source.items()
    }
    for order in sorted(orders):
        for attributes in combinations(terms, order):
            for sources in product(*(terms[attribute] for attribute in attributes)):
                if len(set(sources)) < order:
                    continue
                kept = resolve_overlaps({source: found[source] for source in sources})
                if all(kept.values()):
                    yield Combination(
                        tuple(
                            PlacedTerm(attribute, source, kept[source])
                            for attribute, source in zip(attributes, sources, strict=True)
                        )
                    )
