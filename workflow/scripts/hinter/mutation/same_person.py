"""Whether all edits of a mutant concern one person, as far as its original shows.

An edit belongs to an anchor: the noun that its words modify, are in apposition to or are a
predicate of, or a pronoun. A pronoun that belongs to a noun is anchored at that noun.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from .annotation import PLURAL_NOUNS, PREDICATES, SUBJECTS, Annotating, Annotation
from .gendered import Gender, gender_of, is_noun
from .occurrences import NAME, Lists, Scene, chains_of, is_person, mentioned
from .roles import EditSpan, Role, Span

_MODIFIERS = ("amod", "appos", "compound", "nmod", "nummod")
_SAME_SUBJECT = ("conj", "xcomp")
_PERSONAL = ("PRP", "PRP$")
_RELATIVE = ("WDT", "WP")
_PLURAL = frozenset({"our", "ours", "their", "theirs", "them", "themselves", "they", "us", "we"})
_IMPERSONAL = frozenset({"it", "its", "itself", "that", "there", "these", "this", "those", "what"})

_PEOPLE = frozenset(
    {"ancestry", "being", "chick", "community", "couple", "crowd", "descent", "family", "folk"}
    | {"gal", "human", "lad", "minority", "origin", "people", "population", "woman"}
)
_TRADE = re.compile(r"\w(?:eer|ess|ian|ist|man|woman)$")


class OnePerson(StrEnum):
    """Whether all edits of a mutant concern one mention, or mentions of one person."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Persons:
    """Distinguishes the persons of texts; `lists` has words for persons."""

    annotator: Annotating
    lists: Lists

    def one_person(self, text: str, edit_spans: Iterable[EditSpan]) -> OnePerson:
        """Return whether the edits of a mutant, at some spans of a text, concern one person."""
        return self._anchors(text).one_person(edit_spans)

    @cached_property
    def _anchors(self) -> Callable[[str], "_Anchors"]:
        # Consecutive mutants have the same text.
        return lru_cache(maxsize=4)(
            lambda text: _Anchors(self.annotator.annotate(text), self.lists)
        )


class _Kind(NamedTuple):
    """The facts about the referent of an anchor; `noun` is None for pronouns and names."""

    noun: str | None
    gender: Gender | None
    plural: bool
    human: bool


class _Anchors:
    """The anchors of the spans of one text, as numbers of tokens."""

    def __init__(self, annotation: Annotation, lists: Lists) -> None:
        self._annotation = annotation
        self._scene = Scene(annotation, {}, lists)
        self._anchor = cache(self._find_anchor)
        self._kind = cache(self._find_kind)

    def one_person(self, edit_spans: Iterable[EditSpan]) -> OnePerson:
        """Return whether the edits of a mutant, at some spans, concern one person."""
        found = {
            self._anchor(span_of_edit.span)
            for span_of_edit in edit_spans
            if span_of_edit.role is not Role.ARTICLE
        }
        kinds = {self._kind(number) for number in found if number is not None}
        if any(_differ(one, other) for one, other in combinations(kinds, 2)):
            return OnePerson.NO
        if len(found) == 1 and any(kind.human for kind in kinds):
            return OnePerson.YES
        return OnePerson.UNKNOWN

    def _find_anchor(self, span: Span) -> int | None:
        """Return the anchor of a span, or None if its sentence is not parsed."""
        inside = self._annotation.inside(span)
        if not inside:
            return None
        tokens = self._annotation.tokens
        outermost = (n for n in inside if tokens[n].head == n or tokens[n].head not in inside)
        number = self._stated_of(next(outermost))
        # If a noun occurs several times, it is unknown which one a pronoun refers to.
        mentions = self._mentions.get(self._owners.get(number, NAME), [])
        return self._stated_of(mentions[0]) if len(mentions) == 1 else number

    def _stated_of(self, number: int) -> int:
        """Return the noun or pronoun that a token describes, or itself if there is none."""
        above = self._above(number)
        while above is not None:
            number, above = above, self._above(above)
        return number

    def _above(self, number: int) -> int | None:
        tokens = self._annotation.tokens
        token = tokens[number]
        if token.dep in PREDICATES:
            return self._subject(token.head)
        if token.tag in _RELATIVE:
            verb = tokens[token.head]
            return verb.head if verb.dep == "relcl" else None
        coordinated = token.dep == "conj" and token.tag.startswith("JJ")
        return token.head if coordinated or token.dep in _MODIFIERS else None

    def _subject(self, verb: int) -> int | None:
        """Return the subject of a verb, or that of the verb above if it has none."""
        tokens = self._annotation.tokens
        while True:
            for child in self._annotation.dependents(verb, *SUBJECTS):
                return None if self._annotation.lowered[child] in _IMPERSONAL else child
            if tokens[verb].dep not in _SAME_SUBJECT:
                return tokens[verb].head if tokens[verb].dep == "acl" else None
            verb = tokens[verb].head

    @cached_property
    def _owners(self) -> dict[int, str]:
        """The noun of each pronoun for which it is clear."""
        owned = chains_of(self._scene).owned
        return {
            pronoun.number: noun
            for noun, pronouns in owned.items()
            if noun != NAME
            for pronoun in pronouns
        }

    @cached_property
    def _mentions(self) -> dict[str, list[int]]:
        """The tokens that mention a person by each noun."""
        mentions: dict[str, list[int]] = {}
        for number in range(len(self._annotation.tokens)):
            noun = mentioned(number, scene=self._scene)
            if noun and noun != NAME:
                mentions.setdefault(noun, []).append(number)
        return mentions

    def _find_kind(self, number: int) -> _Kind:
        token, word = self._annotation.tokens[number], self._annotation.lowered[number]
        if token.tag in _PERSONAL:
            noun = self._owners.get(number)
            return _Kind(noun, gender_of(word), word in _PLURAL, word not in _IMPERSONAL)
        plural = token.tag in PLURAL_NOUNS
        if is_person(number, self._scene):
            return _Kind(None, gender_of(word), plural, True)
        lemma = self._scene.lemma(number)
        return _Kind(lemma, gender_of(lemma), plural, _is_human(number, self._scene))


def _is_human(number: int, scene: Scene) -> bool:
    """Return whether a noun means a person or people."""
    lemma = scene.lemma(number)
    known = lemma in scene.lists.persons or lemma in _PEOPLE or is_noun(lemma)
    return known or (
        _TRADE.search(lemma) is not None and scene.annotation.tokens[number].tag.startswith("NN")
    )


def _differ(one: _Kind, other: _Kind) -> bool:
    """Return whether two anchors certainly do not refer to the same person."""
    nouns = {one.noun, other.noun} - {None}
    genders = {one.gender, other.gender} - {None}
    return (
        len(nouns) > 1 or len(genders) > 1 or one.plural != other.plural or one.human != other.human
    )
