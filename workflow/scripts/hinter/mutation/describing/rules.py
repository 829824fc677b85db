"""Rules that leave mentions of persons alone, beside those for occurrences of any term."""

from collections.abc import Callable, Iterator

from ..occurrences import Occurrence, Scene
from .mentions import Mention

Rule = Callable[[Mention, Occurrence, Scene], bool]
"""Tells whether a mention, which is an occurrence for each attribute, is left alone."""

_ANYBODY = frozenset(
    {"all", "any", "each", "either", "every", "neither", "no", "such", "what", "whatever"}
    | {"which", "whichever"}
)
_CONDITIONS = frozenset({"if", "once", "unless", "when", "whenever", "where", "whether"})
_SINGLED_OUT = frozenset(
    {"first", "former", "last", "latter", "next", "only", "other", "own", "same", "sole", "very"}
)
_SUPERLATIVES = ("JJS", "RBS")
_MODAL = "MD"
_FINITE = {"MD", "VBD", "VBP", "VBZ"}
_AUXILIARY = ("aux", "auxpass")
_SUBJECTS = ("nsubj", "nsubjpass")
_COMPLEMENTS = ("acomp", "attr", "oprd")
_BECOMING = ("attr", "dobj", "oprd")
_CHANGES = frozenset({"appoint", "become", "elect", "make", "turn"})
_OTHERS = ("conj", "poss")
_DETERMINERS = ("det", "poss")
_ORIGINS = ("GPE", "LOC", "NORP")


def undetermined(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether no article, possessive or number says that somebody is meant (*doctors say*)."""
    return mention.determiner is None


def general(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a statement is about anybody of a kind (*any person*, *a worker shall*).

    So it is below a modal verb or a condition: who is narrowed down there changes a rule.
    """
    annotation = scene.annotation
    before = {annotation.lowered[child] for child in annotation.children[mention.number]}
    return not _ANYBODY.isdisjoint(before) or any(
        annotation.tokens[child].tag == _MODAL or annotation.lowered[child] in _CONDITIONS
        for above in _above(mention.number, scene)
        for child in annotation.children[above]
    )


def timeless(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a clause is in no past tense: rules, definitions and opinions are in none.

    Who is in a clause of the past is somebody; of the present, most are anybody (*an opera is the
    work of a composer*), but for plots that are told in it.
    """
    tenses = (_finite(above, scene) for above in _above(mention.number, scene))
    return "VBD" not in next(filter(None, tenses), set())


def plural_possessor(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a possessive of a plural tells for whom a thing is (*the women's unit*)."""
    annotation = scene.annotation
    return annotation.tokens[mention.number].tag == "NNS" and any(
        annotation.tokens[child].dep == "case" for child in annotation.children[mention.number]
    )


def singled_out(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a person is the only one or the most so of a kind (*the best doctor*)."""
    annotation = scene.annotation
    return any(
        annotation.tokens[number].tag in _SUPERLATIVES
        or (
            annotation.tokens[number].head == mention.number
            and annotation.lowered[number] in _SINGLED_OUT
        )
        for number in mention.modifiers
    )


def becoming(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether somebody becomes what the noun says (*she became a doctor*)."""
    token = scene.annotation.tokens[mention.number]
    return token.dep in _BECOMING and scene.lemma(token.head) in _CHANGES


def coordinated_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a descriptor might describe somebody else, too (*a doctor and nurse*)."""
    annotation = scene.annotation
    return any(
        annotation.tokens[child].dep == "conj"
        and not any(
            annotation.tokens[own].dep in _DETERMINERS for own in annotation.children[child]
        )
        for child in annotation.children[mention.number]
    )


def told_of_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether the text tells the attribute in other words (*a man of Polish descent*).

    These are words that depend on the noun, but not on another one that has a determiner of its
    own, and what is said of it as a subject.
    """
    annotation, pattern = scene.annotation, scene.lists.telling.get(occurrence.attribute)
    own = {number for one in mention.own(occurrence.attribute) for number in one.tokens}
    return any(
        (pattern is not None and pattern.fullmatch(annotation.words[number]))
        or (occurrence.attribute == "race" and annotation.tokens[number].entity in _ORIGINS)
        for number in (*_below(mention.number, scene), *_said(mention.number, scene))
        if number not in own
    )


def _said(number: int, scene: Scene) -> Iterator[int]:
    """Yield the verb that a noun is the subject of, and its complements."""
    annotation = scene.annotation
    token = annotation.tokens[number]
    if token.dep in _SUBJECTS:
        yield token.head
        for child in annotation.children[token.head]:
            if annotation.tokens[child].dep in _COMPLEMENTS:
                yield child
                yield from _below(child, scene)


def _finite(number: int, scene: Scene) -> set[str]:
    """Return the tags of the finite verbs among a token and its auxiliaries."""
    annotation = scene.annotation
    auxiliaries = (
        child for child in annotation.children[number] if annotation.tokens[child].dep in _AUXILIARY
    )
    return {annotation.tokens[one].tag for one in (number, *auxiliaries)} & _FINITE


def _below(number: int, scene: Scene) -> Iterator[int]:
    """Yield the tokens below a noun, without what tells of other nouns."""
    annotation = scene.annotation
    # A long sentence may be deeper than Python calls functions.
    left = [*annotation.children[number]]
    while left:
        child = left.pop()
        if annotation.tokens[child].dep not in _OTHERS and not any(
            annotation.tokens[below].dep in _DETERMINERS for below in annotation.children[child]
        ):
            yield child
            left += annotation.children[child]


def _above(number: int, scene: Scene) -> Iterator[int]:
    """Yield a token and those above it in its tree."""
    while True:
        yield number
        head = scene.annotation.tokens[number].head
        if head == number:
            return
        number = head
