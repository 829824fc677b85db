"""Rules that leave mentions of persons alone, beside those for occurrences of any term."""

import re
from collections.abc import Callable, Iterator

from ..occurrences import LONGEST, Occurrence, Scene
from .mentions import Mention

Rule = Callable[[Mention, Occurrence, Scene], bool]
"""Tells whether a mention, which is an occurrence for each attribute, is left alone."""

_ANYBODY = frozenset(
    {"all", "any", "each", "either", "every", "neither", "no", "not", "such", "what", "whatever"}
    | {"which", "whichever", "your"}
)
_CONDITIONS = frozenset(
    {"if", "maybe", "once", "perhaps", "unless", "when", "whenever", "where", "whether"}
)
_SUPPOSED = frozenset({"imagine", "suppose"})
_DUTIES = frozenset({"entitle", "forbid", "oblige", "prohibit", "require"})
_PRONOUNS_OF_ANYBODY = frozenset(
    {
        "anybody",
        "anyone",
        "everybody",
        "everyone",
        "nobody",
        "somebody",
        "someone",
        "who",
        "whoever",
    }
)
_SUBJECTS = ("nsubj", "nsubjpass")
_SOME = frozenset({"both", "few", "many", "several", "some"})
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
_BECOMING = ("attr", "ccomp", "dobj", "oprd")
_CHANGES = frozenset(
    {"appoint", "bear", "become", "call", "consider", "deem", "elect", "have", "make", "turn"}
)
_ROLES = frozenset({"as", "into"})
_KINDS = frozenset({"kind", "mark", "sign", "sort", "type"})
_NEW = frozenset({"birth", "post", "position", "role", "status"})
_PARTED = re.compile(r"/|\w-\s")
"""What is between words of two nouns, or of a word that a line break has parted."""
_NOT_ALONE = frozenset({"-", "/", "‑"})
_CERTAIN = frozenset({"her", "his", "my", "our", "that", "these", "this", "those"})
_INDEFINITE = frozenset({"a", "an", "another", "one", "some"})
_NONFINITE = "VB"
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_DETERMINERS = ("det", "poss")


def undetermined(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether no article, possessive or number says that somebody is meant (*doctors say*)."""
    return mention.determiner is None


def general(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a statement is about anybody of a kind (*any person*, *a worker shall*).

    So it is of an indefinite person below a modal verb, an infinitive or a condition, of one who
    has something (*a child's eye*), and of what anybody is (*everyone is a suspect*): who is
    narrowed down there changes a rule.
    """
    annotation = scene.annotation
    before = {annotation.lowered[child] for child in annotation.children[mention.number]}
    if mention.determiner is not None:
        before.add(scene.word(mention.determiner - 1).lower())
    if not _ANYBODY.isdisjoint(before):
        return True
    if _INDEFINITE.isdisjoint(before):
        return False
    return (
        _has_something(mention.number, scene)
        or _is_of_a_kind(mention.number, scene)
        or _is_said_of_anybody(mention.number, scene)
        or _is_open(mention.number, scene)
    )


def _is_open(number: int, scene: Scene) -> bool:
    """Tell whether a noun is below what need not be: a modal verb, an infinitive, a condition.

    So it is of whom something is required, or who is entitled to it.
    """
    annotation = scene.annotation
    if scene.lemma(annotation.tokens[number].head) in _DUTIES:
        return True
    return any(
        scene.lemma(above) in _SUPPOSED
        or (annotation.tokens[above].tag == _NONFINITE and not _is_done(above, scene))
        or any(
            annotation.tokens[child].tag == _MODAL or annotation.lowered[child] in _CONDITIONS
            for child in annotation.children[above]
        )
        for above in _above(number, scene)
    )


def _is_done(number: int, scene: Scene) -> bool:
    """Tell whether an infinitive is part of a finite verb (*did not sleep*)."""
    annotation = scene.annotation
    return any(
        annotation.tokens[child].dep == "aux" and scene.lemma(child) == "do"
        for child in annotation.children[number]
    )


def _is_said_of_anybody(number: int, scene: Scene) -> bool:
    """Tell whether a noun is what anybody is (*everyone is a suspect*)."""
    annotation = scene.annotation
    token = annotation.tokens[number]
    return token.dep in _BECOMING and any(
        annotation.tokens[child].dep in _SUBJECTS
        and annotation.lowered[child] in _PRONOUNS_OF_ANYBODY
        for child in annotation.children[token.head]
    )


def whole_group(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a plural is about all of a group (*the State's voters*).

    It is not where the persons are counted (*two voters*, *some of the voters*) or are somebody's
    (*her lawyers*, *Tom's parents*).
    """
    annotation, number = scene.annotation, mention.number
    tokens = annotation.tokens
    if tokens[number].tag != "NNS" or mention.owned:
        return False
    above = tokens[number].head
    counting = [*annotation.children[number]]
    if tokens[number].dep == "pobj" and annotation.lowered[above] == "of":
        counting.append(tokens[above].head)
    return not any(tokens[one].tag == "CD" or annotation.lowered[one] in _SOME for one in counting)


def _has_something(number: int, scene: Scene) -> bool:
    """Tell whether a noun is a possessive."""
    annotation = scene.annotation
    return any(annotation.tokens[child].dep == "case" for child in annotation.children[number])


def _is_of_a_kind(number: int, scene: Scene) -> bool:
    """Tell whether a noun says of which kind something is (*the sign of a doctor*)."""
    tokens = scene.annotation.tokens
    return tokens[number].dep == "pobj" and scene.lemma(tokens[tokens[number].head].head) in _KINDS


def timeless(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a clause, or one around it, is in no past tense, as rules and opinions are.

    Who is in a clause of the past is somebody; of the present, most are anybody (*an opera is the
    work of a composer*), but for plots that are told in it. Around clauses of *his* friend, of some
    number of persons and of *this* one there may be any tense. For others what may happen, or is to
    happen, is no past either (*to save the patient's life*).
    """
    tenses = (_finite(above, scene) for above in _above(mention.number, scene))
    found = [tags for tags in tenses if tags]
    determiner = mention.determiner
    certain = determiner is not None and _points_at(determiner, scene)
    if not certain and _is_open(mention.number, scene):
        return True
    return set().union(*found[:1] if certain else found) != {"VBD"}


def _points_at(determiner: int, scene: Scene) -> bool:
    """Tell whether a determiner is a number or is said of certain persons only."""
    annotation = scene.annotation
    return annotation.tokens[determiner].tag == "CD" or annotation.lowered[determiner] in _CERTAIN


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
    tokens = annotation.tokens
    token = tokens[number]
    beside = {scene.word(number - 1), scene.word(number + 1)}
    between = scene.text[tokens[mention.modifiers.start].start : token.start]
    if token.dep in ("compound", "nmod") or beside & _NOT_ALONE or _PARTED.search(between):
        return True
    if number + 1 in annotation.children[number] and tokens[number + 1].dep == "amod":
        return True
    if annotation.tokens[number - 1].tag == "JJ" and _is_fixed(mention, scene):
        return True
    return _has_something(number, scene) and (
        token.tag == "NNS" or scene.lemma(token.head) == "office"
    )


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

    So is who works as somebody, has the role of one, is born, or is one for a while (*being a
    doctor*).
    """
    tokens = scene.annotation.tokens
    token = tokens[mention.number]
    if token.dep in _BECOMING and (
        scene.lemma(token.head) in _CHANGES or scene.word(token.head).lower() == "being"
    ):
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


def _finite(number: int, scene: Scene) -> set[str]:
    """Return the tags of the finite verbs among a token and its auxiliaries."""
    annotation = scene.annotation
    auxiliaries = (
        child for child in annotation.children[number] if annotation.tokens[child].dep in _AUXILIARY
    )
    return {annotation.tokens[one].tag for one in (number, *auxiliaries)} & _FINITE


def _above(number: int, scene: Scene) -> Iterator[int]:
    """Yield a token and those above it in its tree."""
    while True:
        yield number
        head = scene.annotation.tokens[number].head
        if head == number:
            return
        number = head
