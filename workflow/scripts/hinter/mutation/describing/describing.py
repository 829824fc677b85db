"""Description of a mentioned person by descriptors of one or more attributes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

from ...dictionary import WordPair
from ..agreement import EditSpan, Role
from ..annotation import Annotating
from ..combinations import DictionaryIndex, Operating, Ruling, SpannedTerm
from ..occurrences import Lists, Note, Occurrence, Scene
from ..plain import plain
from ..same_person import OnePerson
from . import rules, statements
from .mentions import (
    Mention,
    PersonWords,
    descriptors_inside,
    find_mentions,
    first_near,
    genders_near,
)
from .rules import Rule

_RULES: tuple[Rule, ...] = (
    *(rules.capitals, rules.part_of_name, rules.quoted, rules.part_of_expression),
    *(rules.named_person, statements.undetermined, statements.general, rules.becoming),
    *(statements.timeless, statements.whole_group, rules.singled_out, rules.coordinated_person),
    *(statements.legal_person, statements.told_of_person),
)
MENTION_RULES: dict[str, Rule] = {rule.__name__: rule for rule in _RULES}
"""The rules that exclude mentions by name, in the order in which they are applied."""
_OF_NOBODY = frozenset(
    {"capitals", "part_of_name", "quoted", "part_of_expression", "undetermined", "general"}
    | {"timeless", "whole_group"}
)
"""Rules for mentions of nobody in particular: a later mention may be the first of a person."""


def substituting(
    mutation: Mapping[str, Any], *, pairs: Sequence[WordPair], annotator: Callable[[], Annotating]
) -> "Describing":
    """Return the operator that describes persons."""
    return Describing(
        DictionaryIndex(pairs),
        annotator(),
        Lists(**mutation["lists"]),
        PersonWords.of_sheet(mutation["persons"]),
        tuple(mutation["mentions"]),
        mutation["descriptors"],
        mutation["seed"],
    )


@dataclass(frozen=True)
class Describing(Operating):
    """Describes a person whom a text mentions, by one descriptor for each attribute of a mutant.

    Sources of pairs are nouns, which get a descriptor, and descriptors, which are replaced. All
    edits of a mutant are at one mention. With `most`, that many pairs of an attribute are sampled
    for a mention by a hash with the `seed`; `rules` exclude mentions.
    """

    annotator: Annotating
    lists: Lists
    words: PersonWords
    rules: tuple[str, ...]
    most: int | None
    seed: int

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate all texts, as nearly all mention persons."""
        self.annotator.prepare(map(plain, texts))

    def rulings(self, text: str) -> list[Ruling]:
        """Return the ruling on the first mention of a person by each noun, for each attribute."""
        return self._described(text)

    def resolve(self, text: str, terms: Sequence[SpannedTerm]) -> Sequence[SpannedTerm]:
        """Return the terms with their sampled pairs, without spans unless they are one person's."""
        found = {one.occurrence[:2]: one for one in self._described(text) if one.rule is None}
        sources = [found[term.attribute, term.source] for term in terms]
        if len({ruling.occurrence.head for ruling in sources}) > 1:
            return [term._replace(edit_spans=()) for term in terms]
        return [ruling.term for ruling in sources]

    def one_person(self, text: str, edit_spans: Iterable[EditSpan]) -> OnePerson:
        """Return yes: all edits of a mutant are at one mention."""
        return OnePerson.YES

    def _sampled(self, text: str, occurrence: Occurrence, mention: Mention) -> tuple[int, ...]:
        """Return the positions of pairs whose descriptors fit the noun and the pronouns near it."""
        pairs, sources = self.index.pairs, self.index.by_source[occurrence.attribute]
        allowed = {pairs[position].target for position in sources.get(mention.noun, ())}
        fitting = [
            int(position)
            for position in sources.get(occurrence.source, ())
            if pairs[position].target in allowed
            and mention.implied.isdisjoint(self.words.excluded[pairs[position].target])
        ]
        lots = sorted(fitting, key=lambda position: self._lot(text, position))
        return tuple(sorted(lots[: self.most]))

    def _lot(self, text: str, position: int) -> bytes:
        key = f"{self.seed}:{self.index.pairs[position].name}:{text}"
        return blake2b(key.encode(), digest_size=8).digest()

    @cached_property
    def _described(self) -> Callable[[str], list[Ruling]]:
        # Each combination of a text needs them, and consecutive mutants have the same text.
        return lru_cache(maxsize=4)(lambda text: [*self._describe(text)])

    def _describe(self, text: str) -> Iterator[Ruling]:
        shown = plain(text)
        matched = self.index.matcher.find(shown)
        annotation = self.annotator.annotate(shown)
        scene = Scene(annotation, {}, self.lists)
        taken: set[tuple[str, str]] = set()
        for mentions in find_mentions(annotation, words=self.words):
            found = next((one for one in mentions if self._is_somebody(one, scene)), mentions[0])
            inside = descriptors_inside(
                found, annotation, matched=matched, index=self.index, words=self.words
            )
            mention = found._replace(
                inside=tuple(sorted(inside)), implied=genders_near(found.alike, annotation)
            )
            for attribute in self.index.by_source:
                ruling = self._ruling(text, mention, attribute, scene=scene, taken=taken)
                if ruling.rule is None:
                    taken.add(ruling.occurrence[:2])
                yield ruling

    def _is_somebody(self, mention: Mention, scene: Scene) -> bool:
        occurrence = _occurrence(mention, "")
        names = _OF_NOBODY.intersection(self.rules)
        return not any(MENTION_RULES[name](mention, occurrence, scene) for name in names)

    def _ruling(
        self,
        text: str,
        mention: Mention,
        attribute: str,
        *,
        scene: Scene,
        taken: Collection[tuple[str, str]],
    ) -> Ruling:
        """Return the ruling for an attribute, given the sources `taken` by earlier mentions."""
        own = mention.own(attribute)
        occurrence = _occurrence(mention, attribute)
        applying = (name for name in self.rules if MENTION_RULES[name](mention, occurrence, scene))
        rule = Note.TOLD_TWICE if len(own) > 1 else next(applying, None)
        if own:
            occurrence = occurrence._replace(source=own[0].source)
        if rule is None and occurrence[:2] in taken:
            rule = Note.SAME_DESCRIPTOR
        pairs = () if rule else self._sampled(text, occurrence, mention)
        if rule or not pairs:
            return Ruling(occurrence, rule or Note.NOTHING_FITS, ())
        own_span = self._edit_span(mention, attribute, scene=scene)
        article = scene.annotation.article_before(mention.determiner, own_span.start)
        return Ruling(occurrence, None, (*article, own_span), pairs)

    def _edit_span(self, mention: Mention, attribute: str, *, scene: Scene) -> EditSpan:
        """Return the span of a descriptor: its attribute's, or before those of later ranks."""
        for one in mention.own(attribute):
            return EditSpan(*one.span)
        rank = self.words.ranks[attribute]
        start = first_near(mention, scene, words=self.words, rank=rank).start
        return EditSpan(start, start, Role.DESCRIPTOR, rank)


def _occurrence(mention: Mention, attribute: str) -> Occurrence:
    return Occurrence(attribute, mention.noun, mention.token.span, (mention.token,))
