"""Source terms of a dictionary in a text, and their combinations that can be replaced together."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..dictionary import WordPair
from ..operators import OPERATORS
from .agreement import EditSpan
from .annotation import Annotating
from .matching import TermMatcher, resolve_overlaps
from .occurrences import Occurrence
from .plain import Span
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


@dataclass(frozen=True)
class DictionaryIndex:
    """Word pairs, identified by their position in `pairs`, by attribute and source term."""

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

    def find(self, text: str) -> dict[str, dict[str, list[Span]]]:
        """Return the occurrences of the source terms in a text, by attribute and term."""
        matched = self.matcher.find(text)
        return {
            attribute: {source: matched[source] for source in sources if source in matched}
            for attribute, sources in self.by_source.items()
        }

    def occurrences(self, text: str) -> Iterator[Occurrence]:
        """Yield the occurrences without their tokens, by attribute, term and position."""
        for attribute, sources in self.find(text).items():
            for source, spans in sources.items():
                yield from (Occurrence(attribute, source, span, ()) for span in spans)

    def positions(self, term: SpannedTerm) -> npt.NDArray[np.int32]:
        """Return the positions of the pairs with which a term makes mutants."""
        if term.pairs is None:
            return self.by_source[term.attribute][term.source]
        return np.array(term.pairs, dtype=np.int32)

    def targets_of(self, term: SpannedTerm) -> list[str]:
        """Return the target terms with which a term makes mutants, in the order of its pairs."""
        return [self.pairs[position].target for position in self.positions(term)]


@dataclass(frozen=True)
class Operating(ABC):
    """An operator of a study: a way to substitute the terms of its `index`."""

    index: DictionaryIndex

    @abstractmethod
    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate texts together, which is faster than one by one."""

    @abstractmethod
    def rulings(self, text: str) -> list[Ruling]:
        """Return the ruling on each occurrence or mention of a text."""

    @abstractmethod
    def one_person(self, text: str, edit_spans: Iterable[EditSpan]) -> OnePerson:
        """Return whether the edits of a mutant, at some spans of a text, concern one person."""

    def edit_spans(self, text: str) -> TermSpans:
        """Return the spans of the source terms of a text, by attribute and term."""
        found: dict[str, dict[str, set[EditSpan]]] = {name: {} for name in self.index.by_source}
        for ruling in self.rulings(text):
            if ruling.edit_spans:
                attribute, source, *_ = ruling.occurrence
                found[attribute].setdefault(source, set()).update(ruling.edit_spans)
        return {
            name: {source: tuple(sorted(terms[source])) for source in sorted(terms)}
            for name, terms in found.items()
        }

    def resolve(self, text: str, terms: Sequence[SpannedTerm]) -> Sequence[SpannedTerm]:
        """Return the source terms of one mutant with the spans that are left to each.

        The longest term takes a span. If two have the same words, none has a span left.
        """
        kept = resolve_overlaps({term.source: term.edit_spans for term in terms})
        alone = len(kept) == len(terms)
        return [term._replace(edit_spans=kept[term.source] if alone else ()) for term in terms]


def operating_by(
    mutation: Sequence[Mapping[str, Any]],
    *,
    pairs: Sequence[WordPair],
    annotator: Callable[[], Annotating],
) -> dict[str, Operating]:
    """Return the operators that a study's `mutation` asks for, by name, each with its pairs.

    `annotator` opens the pipeline, which literal mutants of one attribute do not need.
    """
    opened = cache(annotator)
    made: dict[str, Operating] = {}
    for one in mutation:
        name = one["operator"]
        module = import_module(f"{__package__}.{OPERATORS[name].module}")
        own = [pair for pair in pairs if pair.operator == name]
        made[name] = module.substituting(one, pairs=own, annotator=opened)
    return made


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
    text: str, *, orders: Sequence[int], substituting: Operating
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
