"""The controls of a suite, matched to its mutants and checked.

In a control, a neutral term stands in for one of a mutant's sensitive terms. The control of an
atomic mutant is a neutral edit alone; that of an intersectional mutant keeps its other sensitive
edits (sensitive + neutral). A second control is made from it, in which neutral terms stand in for
all sensitive ones (neutral + neutral). Both are valid with all their sub-mutants, so their bias can
be hidden as well.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import md5
from itertools import islice

from ..dictionary import CONTROL, WordPair
from ..invariant import Invariant, Reason
from ..lattice import parts_of
from ..mutants import check_recipes
from ..mutation import (
    Describing,
    EditSpan,
    Literal,
    Mutant,
    OnePerson,
    Operating,
    SpannedTerm,
    compose,
    span_terms,
)
from .matching import Match, Terms, overlap, rank_neutral, sensitive

CANDIDATES = 6
"""The most neutral terms that are tried for a sensitive one, as some break the structure."""

Neutral = Mapping[str, tuple[EditSpan, ...]]
"""The spans of the neutral terms of a text."""


@dataclass(frozen=True)
class ControlMaker:
    """Finds the controls of mutants, whose `pairs` are given by pair_id.

    `substituting` finds where neutral pairs apply. `classes` has the word classes of each term, by
    attribute and term. The pair of a mutant that is replaced is chosen
    by a hash with the `seed`, or the next pair if the first makes no control. The neutral term most
    similar to its term stands in, or the next one if that alone breaks the structure of the text.
    """

    substituting: Operating
    pairs: Mapping[str, WordPair]
    invariant: Invariant
    classes: Mapping[tuple[str, str], Collection[str]]
    seed: int

    def match(self, mutants: Sequence[Mutant]) -> dict[str, Match]:
        """Return the controls of mutants by mutant_id, of those that have one."""
        texts = {mutant.original_id: mutant.original for mutant in mutants}
        neutral = {key: self.substituting.edit_spans(text)[CONTROL] for key, text in texts.items()}
        asked = [(mutant, self._terms(mutant)) for mutant in mutants]
        return self._match(asked, neutral=neutral)

    def _match(
        self, asked: Sequence[tuple[Mutant, Terms]], *, neutral: Mapping[str, Neutral]
    ) -> dict[str, Match]:
        """Return the controls of mutants, and the controls of these that have a sensitive pair."""
        found = self._stand_in(asked, neutral=neutral)
        controls = {match.parts[-1].mutant_id: match for match in found.values()}
        left = [
            (match.parts[-1], match.terms) for match in controls.values() if sensitive(match.terms)
        ]
        further = self._match(left, neutral=neutral) if left else {}
        return {
            key: match._replace(further=further.get(match.parts[-1].mutant_id))
            for key, match in found.items()
        }

    def _stand_in(
        self, asked: Sequence[tuple[Mutant, Terms]], *, neutral: Mapping[str, Neutral]
    ) -> dict[str, Match]:
        matches = [
            match
            for mutant, terms in asked
            for match in self._matches(mutant, terms, neutral[mutant.original_id])
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
        """Return whether a control, or a part of one, concerns one person; None for one pair."""
        edit_spans = [edit.edit_span for edit in control.edits]
        several = len(control.pair_ids) > 1
        return self.substituting.one_person(control.original, edit_spans) if several else None

    def _matches(self, mutant: Mutant, terms: Terms, neutral: Neutral) -> Iterator[Match]:
        """Yield the possible matches of a mutant, the best first."""
        for pair in sorted(sensitive(terms), key=lambda pair: self._lot(mutant, pair)):
            own, others = _edit_spans(mutant, pair)
            ranked = rank_neutral(
                own,
                neutral,
                classes=self.classes[pair.attribute, pair.source],
                classes_of={term: self.classes[CONTROL, term] for term in neutral},
            )
            rest = {other: term for other, term in terms.items() if other != pair}
            # Only the term at the same mention, the nearest one, describes the same person.
            near = ranked[:1] if isinstance(self.substituting, Describing) else ranked
            candidates = (
                (likeness, term, stand_in)
                for likeness, term in near
                if not overlap(others, neutral[term])
                for stand_in in self._neutral_pairs(mutant, pair, term)
                if stand_in not in rest
            )
            for likeness, term, stand_in in islice(candidates, CANDIDATES):
                of_control = {**rest, stand_in: SpannedTerm(CONTROL, term, neutral[term])}
                parts = self._parts(mutant, of_control, new=stand_in)
                yield Match(mutant, pair, stand_in, likeness, of_control, parts)

    def _terms(self, mutant: Mutant) -> Terms:
        pairs = [self.pairs[pair_id] for pair_id in mutant.pair_ids]
        if isinstance(self.substituting, Literal):
            return {pair: span_terms(mutant.original, [pair])[0] for pair in pairs}
        describing = self.substituting if isinstance(self.substituting, Describing) else None
        # Only descriptors of persons have ranks, by their attribute.
        ranks = describing.words.ranks if describing else {}
        terms = {}
        for pair in pairs:
            own, _ = _edit_spans(mutant, pair)
            ranked = tuple(one._replace(rank=ranks.get(pair.attribute, one.rank)) for one in own)
            terms[pair] = SpannedTerm(pair.attribute, pair.source, ranked)
        return terms

    def _parts(self, mutant: Mutant, terms: Terms, *, new: WordPair) -> list[Mutant]:
        """Return the mutants of terms with at least one neutral one, first that of the new one."""
        ordered = sorted(terms, key=lambda pair: (pair.attribute, pair.pair_id))
        return [
            self._part(mutant, [(pair, terms[pair]) for pair in part])
            for part in sorted(parts_of(ordered), key=lambda part: (len(part), new not in part))
            if any(pair.attribute == CONTROL for pair in part)
        ]

    def _part(self, mutant: Mutant, terms: Sequence[tuple[WordPair, SpannedTerm]]) -> Mutant:
        spanned: Sequence[SpannedTerm] = [term for _, term in terms]
        if isinstance(self.substituting, Literal):
            spanned = self.substituting.resolve(mutant.original, spanned)
        part = replace(mutant, pair_ids=tuple(pair.pair_id for pair, _ in terms))
        chosen = [
            (term._replace(attribute=name), pair.target)
            for name, term, (pair, _) in zip(part.attributes, spanned, terms, strict=True)
        ]
        return replace(part, edits=compose(mutant.original, chosen))

    def _lot(self, mutant: Mutant, pair: WordPair, *, of: str = "") -> str:
        return md5(f"{self.seed}:{mutant.mutant_id}:{pair.pair_id}{of}".encode()).hexdigest()

    def _neutral_pairs(self, mutant: Mutant, pair: WordPair, term: str) -> list[WordPair]:
        """Return the neutral pairs of a term in a seeded order, which differs between mutants."""
        index = self.substituting.index
        pairs = [index.pairs[position] for position in index.by_source[CONTROL][term]]
        return sorted(pairs, key=lambda neutral: self._lot(mutant, neutral, of=pair.pair_id))

    def _valid(self, mutants: Iterable[Mutant]) -> set[str]:
        """Return the ids of the valid mutants; mutants may be repeated."""
        distinct = {mutant.mutant_id: mutant for mutant in mutants}
        [reasons] = check_recipes(list(distinct.values()), by=[self.invariant])
        return {
            mutant_id
            for mutant_id, reason in zip(distinct, reasons, strict=True)
            if reason == Reason.VALID
        }


def _edit_spans(mutant: Mutant, pair: WordPair) -> tuple[list[EditSpan], list[EditSpan]]:
    """Return the spans of one pair of a mutant, and those of all others."""
    own = [edit.edit_span for edit in mutant.edits if edit.attribute == pair.attribute]
    others = [edit.edit_span for edit in mutant.edits if edit.attribute != pair.attribute]
    return own, others
