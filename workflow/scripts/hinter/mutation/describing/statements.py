"""Rules on what a text says of a person: of anybody, at no past time, or of an attribute."""

from collections.abc import Iterator

from ...yaml_files import data_of
from ..annotation import DETERMINERS, NOUNS, PREDICATES, SUBJECTS, Token
from ..occurrences import Occurrence, Scene
from .mentions import Mention

COMPLEMENTS = ("attr", "ccomp", "oprd")
"""How a noun depends on a verb of being, becoming or being made."""
_WORDS = {name: frozenset(words) for name, words in data_of(__file__).items()}
"""Words in lower case by what they show, from the YAML file of this name."""

_MODAL = "MD"
_FINITE = {"MD", "VBD", "VBP", "VBZ"}
_NONFINITE = "VB"
_PARTS = (*SUBJECTS, "appos", "dative", "dobj", "iobj", "pobj", "poss")
"""How a noun depends on what its person takes part in."""


def undetermined(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether no article, possessive or number marks a person (*doctors say*)."""
    return mention.determiner is None


def general(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a statement is about anybody of a kind (*any person*, *a worker shall*).

    This is true of an indefinite person below a modal verb, an infinitive or a condition, of an
    indefinite owner (*a child's eye*), and of predicates of anybody (*everyone is a suspect*).
    Describing the person there would change a rule.
    """
    before = {child.lower for child in mention.token.children}
    if mention.determiner is not None:
        before.add(scene.annotation.word(mention.determiner.number - 1).lower())
    if not _WORDS["anybody"].isdisjoint(before):
        return True
    if _WORDS["indefinite"].isdisjoint(before):
        return False
    tests = (is_possessive, _is_of_a_kind, _is_said_of_anybody, _is_open)
    return any(test(mention.token) for test in tests)


def timeless(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a person takes part in no past event, like those of rules and opinions.

    A person in a clause in the past is somebody; in the present, most are anybody (*an opera is the
    work of a composer*), except in plots. Clauses around *his* friend, a number of persons or
    *this* person may have any tense. For others, possible or intended events do not count as past
    either (*to save the patient's life*). What somebody or something was is no event.
    """
    if next((one.dep for one in mention.token.path() if one.dep != "conj"), "") not in _PARTS:
        return True
    found = [tags for tags in map(_finite, mention.token.path()) if tags]
    determiner = mention.determiner
    certain = determiner is not None and (
        determiner.tag == "CD" or determiner.lower in _WORDS["certain"]
    )
    if not certain and _is_open(mention.token):
        return True
    return set().union(*found[:1] if certain else found) != {"VBD"}


def whole_group(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a plural is about all of a group (*the State's voters*).

    It is not if the persons are counted (*two voters*, *some of the voters*) or are somebody's
    (*her lawyers*, *Tom's parents*).
    """
    token = mention.token
    if token.tag != "NNS" or mention.owned:
        return False
    counting = [*token.children]
    if token.dep == "pobj" and token.head.lower == "of":
        counting.append(token.head.head)
    return not any(one.tag == "CD" or one.lower in _WORDS["some"] for one in counting)


def is_possessive(token: Token) -> bool:
    """Return whether a noun is a possessive."""
    return bool(token.dependents("case"))


def _is_of_a_kind(token: Token) -> bool:
    """Return whether a noun says what kind of thing something is (*the sign of a doctor*)."""
    return token.dep == "pobj" and token.head.head.lemma in _WORDS["kinds"]


def _is_said_of_anybody(token: Token) -> bool:
    """Return whether a noun is a predicate of anybody (*everyone is a suspect*)."""
    subjects = token.head.dependents(*SUBJECTS) if token.dep in COMPLEMENTS else ()
    return any(subject.lower in _WORDS["pronouns_of_anybody"] for subject in subjects)


def _is_open(token: Token) -> bool:
    """Return whether a noun is below something hypothetical: a modal verb, infinitive or condition.

    This includes persons of whom something is required, or who are entitled to something.
    """
    return token.head.lemma in _WORDS["duties"] or any(
        above.lemma in _WORDS["supposed"]
        # An infinitive after a form of "do" is part of a finite verb (*did not sleep*).
        or (above.tag == _NONFINITE and all(one.lemma != "do" for one in above.dependents("aux")))
        or any(
            child.tag == _MODAL or child.lower in _WORDS["conditions"] for child in above.children
        )
        for above in token.path()
    )


def _finite(token: Token) -> set[str]:
    """Return the tags of the finite verbs among a token and its auxiliaries."""
    return {one.tag for one in (token, *token.dependents("aux", "auxpass"))} & _FINITE


_ORIGINS = ("GPE", "LOC", "NORP")
_OTHERS = ("conj", "poss")
_BEFORE = ("compound", "nmod")


def legal_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether the text says that an organisation is mentioned (*it is a company*).

    It does if its noun is said to be one anywhere (*the applicant is a company*), has one in
    apposition or precedes one (*the applicant company*).
    """
    return any(
        one.lemma in _WORDS["organisations"]
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
