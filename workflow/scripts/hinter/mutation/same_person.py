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

from ..yaml_files import data_of
from .agreement import EditSpan, Gender, Role, gender_of, is_noun
from .annotation import PLURAL_NOUNS, PREDICATES, SUBJECTS, Annotating, Annotation, Token
from .occurrences import NAME, Lists, Scene, chains_of, is_person, mentioned
from .plain import Span

_MODIFIERS = ("amod", "appos", "compound", "nmod", "nummod")
_SAME_SUBJECT = ("conj", "xcomp")
_PERSONAL = ("PRP", "PRP$")
_RELATIVE = ("WDT", "WP")
_WORDS = {name: frozenset(words) for name, words in data_of(__file__).items()}
"""Words in lower case by what they show, from the YAML file of this name."""

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
        anchors = self._anchors(text)
        found = {anchors.of(one.span) for one in edit_spans if one.role is not Role.ARTICLE}
        kinds = {anchors.kind(token) for token in found if token is not None}
        if any(_differ(one, other) for one, other in combinations(kinds, 2)):
            return OnePerson.NO
        if len(found) == 1 and any(kind.human for kind in kinds):
            return OnePerson.YES
        return OnePerson.UNKNOWN

    @cached_property
    def _anchors(self) -> Callable[[str], "_Anchors"]:
        # Consecutive mutants have the same text.
        return lru_cache(4)(lambda text: _Anchors(self.annotator.annotate(text), self.lists))


class _Kind(NamedTuple):
    """The facts about the referent of an anchor; `noun` is None for pronouns and names."""

    noun: str | None
    gender: Gender | None
    plural: bool
    human: bool


class _Anchors:
    """The anchors of the spans of one text: the tokens to which these belong."""

    def __init__(self, annotation: Annotation, lists: Lists) -> None:
        self._scene = Scene(annotation, {}, lists)
        self.of = cache(self._find_anchor)
        self.kind = cache(self._find_kind)

    def _find_anchor(self, span: Span) -> Token | None:
        """Return the anchor of a span, or None if its sentence is not parsed."""
        inside = self._scene.annotation.inside(span)
        if not inside:
            return None
        outermost = (one for one in inside if one.head is one or one.head not in inside)
        token = _stated_of(next(outermost))
        # If a noun occurs several times, it is unknown which one a pronoun refers to.
        mentions = self._mentions.get(self._owners.get(token, NAME), [])
        return _stated_of(mentions[0]) if len(mentions) == 1 else token

    @cached_property
    def _owners(self) -> dict[Token, str]:
        """The noun of each pronoun for which it is clear."""
        owned = chains_of(self._scene).owned
        return {
            pronoun: noun
            for noun, pronouns in owned.items()
            if noun != NAME
            for pronoun in pronouns
        }

    @cached_property
    def _mentions(self) -> dict[str, list[Token]]:
        """The tokens that mention a person by each noun."""
        mentions: dict[str, list[Token]] = {}
        for token in self._scene.tokens:
            noun = mentioned(token, scene=self._scene)
            if noun and noun != NAME:
                mentions.setdefault(noun, []).append(token)
        return mentions

    def _find_kind(self, token: Token) -> _Kind:
        word = token.lower
        if token.tag in _PERSONAL:
            human = word not in _WORDS["impersonal"]
            noun = self._owners.get(token)
            return _Kind(noun, gender_of(word), word in _WORDS["plural"], human)
        plural = token.tag in PLURAL_NOUNS
        if is_person(token):
            return _Kind(None, gender_of(word), plural, True)
        known = token.lemma in self._scene.lists.persons or token.lemma in _WORDS["people"]
        trade = token.tag.startswith("NN") and _TRADE.search(token.lemma) is not None
        human = known or is_noun(token.lemma) or trade
        return _Kind(token.lemma, gender_of(token.lemma), plural, human)


def _stated_of(token: Token) -> Token:
    """Return the noun or pronoun that a token describes, or itself if there is none."""
    above = _above(token)
    while above is not None:
        token, above = above, _above(above)
    return token


def _above(token: Token) -> Token | None:
    if token.dep in PREDICATES:
        return _subject(token.head)
    if token.tag in _RELATIVE:
        return token.head.head if token.head.dep == "relcl" else None
    coordinated = token.dep == "conj" and token.tag.startswith("JJ")
    return token.head if coordinated or token.dep in _MODIFIERS else None


def _subject(verb: Token) -> Token | None:
    """Return the subject of a verb, or that of the verb above if it has none."""
    for above in verb.path():
        for subject in above.dependents(*SUBJECTS):
            return None if subject.lower in _WORDS["impersonal"] else subject
        if above.dep not in _SAME_SUBJECT:
            return above.head if above.dep == "acl" else None
    return None


def _differ(one: _Kind, other: _Kind) -> bool:
    """Return whether two anchors certainly do not refer to the same person."""
    nouns = {one.noun, other.noun} - {None}
    genders = {one.gender, other.gender} - {None}
    return (
        len(nouns) > 1 or len(genders) > 1 or one.plural != other.plural or one.human != other.human
    )
