"""Rules on what a text says of a mentioned person, whose attribute it may already state."""

from collections.abc import Iterator

from ..annotation import DETERMINERS, NOUNS, PREDICATES, SUBJECTS
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
    annotation = scene.annotation
    tokens = annotation.tokens
    return any(
        scene.lemma(one) in _ORGANISATIONS
        for number in mention.alike
        for one in (
            *([tokens[number].head] if tokens[number].dep in _BEFORE else []),
            *annotation.dependents(number, "appos"),
            *_said(number, scene),
        )
        if tokens[one].dep != "pobj"
    )


def told_of_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether the text states the attribute in other words (*a man of Polish descent*).

    It does if the name of the noun's people or faith occurs again. Other words are those in the
    noun's sentence, except adjectives before other nouns. For all occurrences of the noun and of
    its subject, they are also its predicates and the words that depend on it, but not on another
    noun with its own determiner. A number in apposition states an age (*a nurse, 24, and a cook*).
    """
    annotation, pattern = scene.annotation, scene.lists.stating.get(occurrence.attribute)
    tokens = annotation.tokens
    own = {number for one in mention.own(occurrence.attribute) for number in one.tokens}
    own.add(mention.number)
    names = {one.source for one in mention.own(occurrence.attribute) if one.source[0].isupper()}
    if any(word in names and number not in own for number, word in enumerate(annotation.words)):
        return True
    near = {
        number
        for number in range(*scene.sentence(occurrence))
        if annotation.tokens[number].dep != "amod"
    } - own
    said = {
        word
        for number in _same(mention, scene)
        for word in (*_below(number, scene), *_said(number, scene))
    } - own
    if occurrence.attribute == "race" and (
        any(annotation.tokens[number].entity == "NORP" for number in near)
        or any(annotation.tokens[number].entity in _ORIGINS for number in said)
    ):
        return True
    if occurrence.attribute == "age" and any(
        tokens[number].tag == "CD" and tokens[number].dep == "appos" for number in said
    ):
        return True
    return pattern is not None and any(
        pattern.fullmatch(annotation.words[number]) for number in near | said
    )


def _same(mention: Mention, scene: Scene) -> Iterator[int]:
    """Yield the tokens of the noun, and of the subject that it is a predicate of."""
    yield from mention.alike
    tokens = scene.annotation.tokens
    token = tokens[mention.number]
    if token.dep in PREDICATES:
        said_of = {
            scene.lemma(subject)
            for subject in scene.annotation.dependents(token.head, *SUBJECTS)
            if tokens[subject].tag in NOUNS
        }
        yield from (number for number in range(len(tokens)) if scene.lemma(number) in said_of)


def _said(number: int, scene: Scene) -> Iterator[int]:
    """Yield the verb of which a noun is the subject, and its complements."""
    annotation = scene.annotation
    token = annotation.tokens[number]
    if token.dep in SUBJECTS:
        yield token.head
        for child in annotation.dependents(token.head, *PREDICATES):
            yield child
            yield from _below(child, scene)


def _below(number: int, scene: Scene) -> Iterator[int]:
    """Yield the tokens below a noun, without those that describe other nouns."""
    annotation = scene.annotation
    # A loop, as a long sentence may be deeper than Python's limit of recursion.
    left = [*annotation.children[number]]
    while left:
        child = left.pop()
        others = annotation.tokens[child].dep in _OTHERS
        if not others and not annotation.dependents(child, *DETERMINERS):
            yield child
            left += annotation.children[child]
