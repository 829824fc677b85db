"""Rules that leave mentions of persons alone, beside those for occurrences of any term."""

from collections.abc import Callable, Iterator

from ..occurrences import LONGEST, Occurrence, Scene
from .mentions import Mention

Rule = Callable[[Mention, Occurrence, Scene], bool]
"""Tells whether a mention, which is an occurrence for each attribute, is left alone."""

_ANYBODY = frozenset(
    {"all", "any", "each", "either", "every", "neither", "no", "not", "such", "what", "whatever"}
    | {"which", "whichever"}
)
_CONDITIONS = frozenset({"if", "once", "unless", "when", "whenever", "where", "whether"})
_SINGLED_OUT = frozenset(
    {
        "another",
        "further",
        "first",
        "former",
        "last",
        "latter",
        "next",
        "only",
        "other",
        "own",
        "same",
        "sole",
        "very",
    }
)
_SUPERLATIVES = ("JJS", "RBS")
_MODAL = "MD"
_FINITE = {"MD", "VBD", "VBP", "VBZ"}
_AUXILIARY = ("aux", "auxpass")
_SUBJECTS = ("nsubj", "nsubjpass")
_COMPLEMENTS = ("acomp", "attr", "oprd")
_BECOMING = ("attr", "dobj", "oprd")
_CHANGES = frozenset({"appoint", "bear", "become", "elect", "have", "make", "turn"})
_ROLES = frozenset({"as", "into"})
_KINDS = frozenset({"kind", "mark", "sign", "sort", "type"})
_NEW = frozenset({"birth", "post", "position", "role", "status"})
_OTHERS = ("conj", "poss")
_NOT_ALONE = frozenset({"-", "/", "‑"})
_ARTICLES = frozenset({"a", "an", "the"})
_INDEFINITE = frozenset({"a", "an", "another", "one", "some"})
_NONFINITE = "VB"
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_DETERMINERS = ("det", "poss")
_ORIGINS = ("GPE", "LOC", "NORP")


def undetermined(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether no article, possessive or number says that somebody is meant (*doctors say*)."""
    return mention.determiner is None


def general(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a statement is about anybody of a kind (*any person*, *a worker shall*).

    So it is of an indefinite person below a modal verb, an infinitive or a condition: who is
    narrowed down there changes a rule, or what somebody looks for.
    """
    annotation = scene.annotation
    before = {annotation.lowered[child] for child in annotation.children[mention.number]}
    if mention.determiner is not None:
        before.add(scene.word(mention.determiner - 1).lower())
    if not _ANYBODY.isdisjoint(before):
        return True
    if _INDEFINITE.isdisjoint(before):
        return False
    return _is_of_a_kind(mention.number, scene) or any(
        annotation.tokens[above].tag == _NONFINITE
        or annotation.tokens[child].tag == _MODAL
        or annotation.lowered[child] in _CONDITIONS
        for above in _above(mention.number, scene)
        for child in annotation.children[above]
    )


def _is_of_a_kind(number: int, scene: Scene) -> bool:
    """Tell whether a noun says of which kind something is (*the sign of a doctor*)."""
    tokens = scene.annotation.tokens
    return tokens[number].dep == "pobj" and scene.lemma(tokens[tokens[number].head].head) in _KINDS


def timeless(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a clause, or one around it, is in no past tense, as rules and opinions are.

    Who is in a clause of the past is somebody; of the present, most are anybody (*an opera is the
    work of a composer*), but for plots that are told in it. Around clauses of somebody's, of some
    number of persons and of *this* one there may be any tense.
    """
    tenses = (_finite(above, scene) for above in _above(mention.number, scene))
    found = [tags for tags in tenses if tags]
    determiner = mention.determiner
    if determiner is not None and scene.annotation.lowered[determiner] not in _ARTICLES:
        found = found[:1]
    return set().union(*found) != {"VBD"}


def capitals(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a noun has a capital, as names, headings and defined terms (*the Doctor*)."""
    return scene.annotation.words[mention.number] != scene.annotation.lowered[mention.number]


def part_of_expression(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a noun is part of another word, or tells what for a thing is.

    So it is where it modifies a noun (*child custody*), beside a hyphen (*man-made*), after an
    adjective of a fixed expression (*bad guys*), as a possessive of a plural (*the women's unit*),
    and of whoever has an office (*the prosecutor's office*).
    """
    annotation, number = scene.annotation, mention.number
    token = annotation.tokens[number]
    if token.dep in ("compound", "nmod") or not _NOT_ALONE.isdisjoint(
        {scene.word(number - 1), scene.word(number + 1)}
    ):
        return True
    if annotation.tokens[number - 1].tag == "JJ" and _is_fixed(mention, scene):
        return True
    possessive = any(
        annotation.tokens[child].dep == "case" for child in annotation.children[number]
    )
    return possessive and (token.tag == "NNS" or scene.lemma(token.head) == "office")


def _is_fixed(mention: Mention, scene: Scene) -> bool:
    """Tell whether a noun and the word before it, no descriptor, are of a fixed expression."""
    tokens, number = scene.annotation.tokens, mention.number
    start, end = tokens[number - 1].start, tokens[number].end
    found = scene.lists.fixed_terms.finditer(scene.text, max(0, start - LONGEST), end + LONGEST)
    return not any(number - 1 in one.tokens for one in mention.inside) and any(
        match.start() <= start and end <= match.end() for match in found
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
        for number in (
            *mention.modifiers,
            *([] if mention.determiner is None else [mention.determiner]),
        )
    )


def becoming(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether somebody becomes, or is taken for, what the noun says (*she became a doctor*).

    So is who works as somebody, has the role of one, or is born.
    """
    tokens = scene.annotation.tokens
    token = tokens[mention.number]
    if token.dep in _BECOMING and scene.lemma(token.head) in _CHANGES:
        return True
    above = tokens[token.head].head
    told = {scene.lemma(number) for number in (above, *scene.annotation.children[above])}
    return token.dep == "pobj" and (scene.lemma(token.head) in _ROLES or not told.isdisjoint(_NEW))


def coordinated_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a descriptor might describe somebody else, too (*a doctor and nurse*)."""
    annotation = scene.annotation
    return any(
        annotation.tokens[child].dep == "conj"
        and annotation.tokens[child].tag in _NOUNS
        and not any(
            annotation.tokens[own].dep in _DETERMINERS for own in annotation.children[child]
        )
        for child in annotation.children[mention.number]
    )


def told_of_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether the text tells the attribute in other words (*a man of Polish descent*).

    These are words in the noun's sentence, but no adjectives before other nouns, and, wherever the
    text has the noun or what it is said of, words that depend on it, but not on another one that
    has a determiner of its own, and what is said of it as a subject.
    """
    annotation, pattern = scene.annotation, scene.lists.telling.get(occurrence.attribute)
    own = {number for one in mention.own(occurrence.attribute) for number in one.tokens}
    own.add(mention.number)
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
    return pattern is not None and any(
        pattern.fullmatch(annotation.words[number]) for number in near | said
    )


def _same(mention: Mention, scene: Scene) -> Iterator[int]:
    """Yield the tokens with the noun, and with the noun that it is said of (*he was a doctor*)."""
    yield from mention.alike
    tokens = scene.annotation.tokens
    token = tokens[mention.number]
    if token.dep in _COMPLEMENTS:
        said_of = {
            scene.lemma(child)
            for child in scene.annotation.children[token.head]
            if tokens[child].dep in _SUBJECTS and tokens[child].tag in _NOUNS
        }
        yield from (number for number in range(len(tokens)) if scene.lemma(number) in said_of)


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
