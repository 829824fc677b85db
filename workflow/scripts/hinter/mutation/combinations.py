"""Combinations of source terms that can be replaced together in a text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple, Protocol

from .matching import resolve_overlaps
from .occurrences import Occurrence
from .roles import EditSpan
from .same_person import OnePerson

TermSpans = Mapping[str, Mapping[str, tuple[EditSpan, ...]]]
"""The spans that change with each source term of a text, by attribute and term."""


class SpannedTerm(NamedTuple):
    """A source term of an attribute with the spans that change with it, from left to right.

    `pairs` are the positions in the dictionary of the pairs that make mutants, or None for all
    pairs of the term.
    """

    attribute: str
    source: str
    edit_spans: tuple[EditSpan, ...]
    pairs: tuple[int, ...] | None = None

    def moved(self, offset: int) -> "SpannedTerm":
        """Return the term moved by `offset` characters."""
        return self._replace(edit_spans=tuple(one.moved(offset) for one in self.edit_spans))


class Ruling(NamedTuple):
    """An occurrence, the rule that excludes it (or None), and the spans that change with it.

    `pairs` are the positions in the dictionary of its pairs, or None for all pairs of its source.
    """

    occurrence: Occurrence
    rule: str | None
    edit_spans: tuple[EditSpan, ...]
    pairs: tuple[int, ...] | None = None

    @property
    def term(self) -> SpannedTerm:
        """The term with which mutants are made."""
        return SpannedTerm(
            self.occurrence.attribute, self.occurrence.source, self.edit_spans, self.pairs
        )


def keep_longest(terms: Sequence[SpannedTerm]) -> Sequence[SpannedTerm]:
    """Return terms with the spans that no longer term takes; none if two have the same words."""
    kept = resolve_overlaps({term.source: term.edit_spans for term in terms})
    alone = len(kept) == len(terms)
    return [term._replace(edit_spans=kept[term.source] if alone else ()) for term in terms]


class Substituting(Protocol):
    """A way to substitute the terms of a dictionary."""

    def edit_spans(self, text: str) -> TermSpans:
        """Return the spans of the source terms of a text, by attribute and term."""

    def resolve(self, text: str, terms: Sequence[SpannedTerm]) -> Sequence[SpannedTerm]:
        """Return the source terms of one mutant with the spans that are left to each."""

    def one_person(self, text: str, edit_spans: Iterable[EditSpan]) -> OnePerson:
        """Return whether the edits of a mutant, at some spans of a text, concern one person."""


@dataclass(frozen=True)
class Combination:
    """The source terms that a mutant replaces, one per attribute, sorted by attribute.

    The mutants of a combination have the same spans and differ only in their targets, so they have
    one value of `one_person` (None for those of one attribute).
    """

    terms: tuple[SpannedTerm, ...]
    one_person: OnePerson | None = None

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The attributes, sorted."""
        return tuple(term.attribute for term in self.terms)


def combinations_of(
    text: str, *, orders: Sequence[int], substituting: Substituting
) -> Iterator[Combination]:
    """Yield every combination that a text allows, order by order.

    A combination in which a term has no span left makes no mutant.
    """
    found = substituting.edit_spans(text)
    for order in sorted(orders):
        for attributes in combinations(found, order):
            for sources in product(*(found[attribute] for attribute in attributes)):
                terms = [
                    SpannedTerm(attribute, source, found[attribute][source])
                    for attribute, source in zip(attributes, sources, strict=True)
                ]
                kept = substituting.resolve(text, terms)
                if all(term.edit_spans for term in kept):
                    edit_spans = (edit_span for term in kept for edit_span in term.edit_spans)
                    one_person = substituting.one_person(text, edit_spans) if order > 1 else None
                    yield Combination(tuple(kept), one_person)
