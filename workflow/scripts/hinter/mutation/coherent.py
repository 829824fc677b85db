"""Substitution by context: which occurrences are replaced, and what changes with them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..dictionary import WordPair
from .agreement import PRONOUNS, EditSpan, gender_of, is_noun
from .annotation import Annotating
from .combinations import DictionaryIndex, Operating, Ruling, SpannedTerm
from .edits import possessive
from .occurrences import Chains, Lists, Note, Occurrence, Scene, chains_of, pronoun_span, rules_for
from .plain import plain
from .same_person import OnePerson, Persons


def coherent_pairs(pairs: Iterable[WordPair], *, lists: Lists) -> list[WordPair]:
    """Return the pairs that make coherent mutants, without pairs that make the same mutants.

    Of pairs from one pronoun to several of one gender (her to him and to his) the first is kept, as
    each changes all forms. Occupations are only replaced by similar ones, and gendered nouns by
    gendered ones, as no pronoun fits both.
    """
    kept: dict[tuple[str, str, str], WordPair] = {}
    for pair in pairs:
        if pair.target not in lists.alike.get(pair.source, {pair.target}):
            continue
        if is_noun(pair.source) and gender_of(pair.target) is None:
            continue
        is_pronoun = pair.source in PRONOUNS and pair.target in PRONOUNS
        target = str(gender_of(pair.target)) if is_pronoun else pair.target
        kept.setdefault((pair.attribute, pair.source, target), pair)
    return list(kept.values())


def substituting(
    mutation: Mapping[str, Any],
    *,
    pairs: Sequence[WordPair],
    annotator: Callable[[], Annotating],
    coherent: bool = True,
) -> "Selective":
    """Return the substitution of terms by rules, and of everything that must change with them.

    If it is not `coherent`, only the terms change.
    """
    lists = Lists(**mutation["lists"])
    kept = coherent_pairs(pairs, lists=lists) if coherent else pairs
    sources = {(pair.attribute, pair.source) for pair in kept}
    return Selective(
        DictionaryIndex(kept),
        DictionaryIndex([one for one in pairs if (one.attribute, one.source) not in sources]),
        Persons(annotator(), lists),
        tuple(mutation["occurrences"]),
        coherent=coherent,
    )


@dataclass(frozen=True)
class Selective(Operating):
    """Replaces the occurrences that no rule of `rules` excludes.

    With `coherent`, articles agree, and the pronouns of a gendered noun change with it. A pronoun
    pair changes all forms that refer to a noun for persons of any gender, and belongs to the first
    of its forms that occurs. Doubtful occurrences are excluded. Terms with overlapping spans make
    no mutant. Without `coherent`, the longest term takes a span. Pairs of terms that have none in
    the `index` are `left_out`.
    """

    left_out: DictionaryIndex
    persons: Persons
    rules: tuple[str, ...]
    coherent: bool

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate the texts that contain source terms."""
        shown = map(plain, texts)
        self.persons.annotator.prepare(text for text in shown if self.index.matcher.find(text))

    def resolve(self, text: str, terms: Sequence[SpannedTerm]) -> Sequence[SpannedTerm]:
        """Return the terms of one mutant with their spans, or without any if they overlap."""
        kept = super().resolve(text, terms)
        if self.coherent and kept != [*terms]:
            return [term._replace(edit_spans=()) for term in terms]
        return kept

    def one_person(self, text: str, edit_spans: Iterable[EditSpan]) -> OnePerson:
        """Return whether edits at some spans of a text concern one person."""
        return self.persons.one_person(plain(text), edit_spans)

    def rulings(self, text: str) -> list[Ruling]:
        """Return the ruling on every occurrence of every term of a text, by attribute and term."""
        text = plain(text)
        return [
            *self._ruled(text),
            *(Ruling(one, Note.WITHOUT_PARTNER, ()) for one in self.left_out.occurrences(text)),
        ]

    def _ruled(self, text: str) -> list[Ruling]:
        found = self.index.find(text)
        if not any(found.values()):
            return []
        scene = Scene(self.persons.annotator.annotate(text), found, self.persons.lists)
        chains = chains_of(scene) if self.coherent else Chains()
        return [
            ruling
            for attribute, sources in found.items()
            for source, spans in sources.items()
            for ruling in self._rule_on_term(
                [
                    Occurrence(attribute, source, span, scene.annotation.inside(span))
                    for span in spans
                ],
                scene=scene,
                chains=chains,
            )
        ]

    def _rule_on_term(
        self, occurrences: Sequence[Occurrence], *, scene: Scene, chains: Chains
    ) -> list[Ruling]:
        """Rule on the occurrences of one term together, as a chain is excluded as a whole."""
        rules = rules_for(occurrences, scene, rules=self.rules)
        if not self.coherent:
            return [
                Ruling(one, rule, () if rule else (EditSpan(*one.span),))
                for one, rule in zip(occurrences, rules, strict=True)
            ]
        source = occurrences[0].source.lower()
        if source in PRONOUNS:
            return _rule_on_pronouns(occurrences, rules, chains=chains)
        companions: list[EditSpan] = []
        if is_noun(source):
            own = chains.owned.get(source, [])
            open_chain = source in chains.doubtful or (own and any(rules))
            rules = [rule or (Note.AMBIGUOUS_CHAIN if open_chain else None) for rule in rules]
            companions = [pronoun_span(pronoun) for pronoun in own]
        attribute, source, *_ = occurrences[0]
        positions = self.index.by_source[attribute][source]
        targets = [self.index.pairs[position].target for position in positions]
        return [
            Ruling(one, rule, () if rule else (*_whole(one, scene, targets), *companions))
            for one, rule in zip(occurrences, rules, strict=True)
        ]


def _rule_on_pronouns(
    occurrences: Sequence[Occurrence], rules: Sequence[str | None], *, chains: Chains
) -> list[Ruling]:
    """Rule on the occurrences of a pronoun: the first form of its chains takes all of them."""
    source = occurrences[0].source.lower()
    gender = gender_of(source)
    chain = chains.leading(gender) if gender else []
    spans = {pronoun.span for pronoun in chain}
    present = {pronoun.lower for pronoun in chain}
    leader = next((form for form in PRONOUNS if form in present), None)
    edit_spans = tuple(pronoun_span(pronoun) for pronoun in chain) if leader == source else ()
    rulings = []
    for one, rule in zip(occurrences, rules, strict=True):
        if rule is None and one.span not in spans:
            rule = Note.AMBIGUOUS_CHAIN
        if rule is None and leader != source:
            rule = Note.OTHER_FORM
        rulings.append(Ruling(one, rule, () if rule else edit_spans))
    return rulings


def _whole(occurrence: Occurrence, scene: Scene, targets: Iterable[str]) -> tuple[EditSpan, ...]:
    """Return the span of a term, after that of an indefinite article before it, if any.

    The span includes the ending of a possessive that one of the targets changes.
    """
    start, end = occurrence.span
    annotation, first = scene.annotation, occurrence.tokens[0]
    before = annotation.tokens[annotation.sentences[first.sentence][0] : first.number]
    words = (one for one in reversed(before) if any(map(str.isalnum, one.word)))
    ending = annotation.at(occurrence.head.number + 1)
    if ending is not None and ending.tag == "POS" and ending.start == end:
        found = scene.text[ending.start : ending.end]
        if any(possessive(one, found) != found for one in targets):
            end = ending.end
    return *annotation.article_before(next(words, None), start), EditSpan(start, end)
