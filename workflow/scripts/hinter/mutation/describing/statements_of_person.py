"""Rules on what a text says of a mentioned person, whose attribute it may already state."""

from collections.abc import Iterator

from ..annotation import DETERMINERS, NOUNS, PREDICATES, SUBJECTS, Token
from ..occurrences import Occurrence, Scene
from .mentions import Mention

_ORIGINS = ("GPE", "LOC", "NORP")
_OTHERS = ("conj", "poss")
_BEFORE = ("compound", "nmod")
_ORGANISATIONS = frozenset(
    {"agency", "association", "bank", "business", "charity", "church", "company", "cooperative"}
    | {"corporation", "enterprise", "federation", "firm", "foundation", "institution"}
    | {"municipality", "newspaper", "organisation", "organization", "partnership", "party"}
    | {"society", "subsidiary", "trust", "undertaking", "union"}
)


def legal_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether the text says that an organisation is mentioned (*it is a company*).

    It does if its noun is said to be one anywhere (*the applicant is a company*), has one in
    apposition or precedes one (*the applicant company*).
    """
    return any(
        one.lemma in _ORGANISATIONS
        for token in mention.alike
        for one in (
            *([token.head] if token.dep in _BEFORE else []),
            *token.dependents("appos"),
            *_said(token),
        )
        if one.dep != "pobj"
    )


def told_of_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether the text states the attribute in other words (*a man of Polish descent*).

    It does if the name of the noun's people or faith occurs again. Other words are those in the
    noun's sentence, except adjectives before other nouns. For all occurrences of the noun and of
    its subject, they are also its predicates and the words that depend on it, but not on another
    noun with its own determiner. A number in apposition states an age (*a nurse, 24, and a cook*).
    """
    described = mention.own(occurrence.attribute)
    own = {token for one in described for token in one.tokens} | {mention.token}
    names = {one.source for one in described if one.source[0].isupper()}
    if any(token.word in names and token not in own for token in scene.tokens):
        return True
    near = {one for one in scene.annotation.sentence(mention.token) if one.dep != "amod"} - own
    said = {
        word for token in _same(mention, scene) for word in (*_below(token), *_said(token))
    } - own
    if occurrence.attribute == "race" and (
        any(token.entity == "NORP" for token in near)
        or any(token.entity in _ORIGINS for token in said)
    ):
        return True
    if occurrence.attribute == "age" and any(
        token.tag == "CD" and token.dep == "appos" for token in said
    ):
        return True
    pattern = scene.lists.stating.get(occurrence.attribute)
    return pattern is not None and any(pattern.fullmatch(token.word) for token in near | said)


def _same(mention: Mention, scene: Scene) -> Iterator[Token]:
    """Yield the tokens of the noun, and of the subject that it is a predicate of."""
    yield from mention.alike
    if mention.token.dep in PREDICATES:
        subjects = mention.token.head.dependents(*SUBJECTS)
        said_of = {subject.lemma for subject in subjects if subject.tag in NOUNS}
        yield from (token for token in scene.tokens if token.lemma in said_of)


def _said(token: Token) -> Iterator[Token]:
    """Yield the verb of which a noun is the subject, and its complements."""
    if token.dep in SUBJECTS:
        yield token.head
        for child in token.head.dependents(*PREDICATES):
            yield child
            yield from _below(child)


def _below(token: Token) -> Iterator[Token]:
    """Yield the tokens below a noun, without those that describe other nouns."""
    # A loop, as a long sentence may be deeper than Python's limit of recursion.
    left = [*token.children]
    while left:
        child = left.pop()
        if child.dep not in _OTHERS and not child.dependents(*DETERMINERS):
            yield child
            left += child.children
