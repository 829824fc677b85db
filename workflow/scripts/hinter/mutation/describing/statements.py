"""Rules that exclude persons in statements about anybody, or about no past event."""

from collections.abc import Iterator

from ..annotation import SUBJECTS
from ..occurrences import Occurrence, Scene
from .mentions import Mention

COMPLEMENTS = ("attr", "ccomp", "oprd")
"""How a noun depends on a verb of being, becoming or being made."""
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
    {"anybody", "anyone", "everybody", "everyone", "nobody", "whoever"}
)
_SOME = frozenset({"both", "few", "many", "several", "some"})
_MODAL = "MD"
_FINITE = {"MD", "VBD", "VBP", "VBZ"}
_KINDS = frozenset({"kind", "mark", "sign", "sort", "type"})
_CERTAIN = frozenset({"her", "his", "my", "our", "that", "these", "this", "those"})
_INDEFINITE = frozenset({"a", "an", "another", "one", "some"})
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
    annotation = scene.annotation
    before = {annotation.lowered[child] for child in annotation.children[mention.number]}
    if mention.determiner is not None:
        before.add(scene.word(mention.determiner - 1).lower())
    if not _ANYBODY.isdisjoint(before):
        return True
    if _INDEFINITE.isdisjoint(before):
        return False
    return (
        has_something(mention.number, scene)
        or _is_of_a_kind(mention.number, scene)
        or _is_said_of_anybody(mention.number, scene)
        or _is_open(mention.number, scene)
    )


def timeless(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a person takes part in no past event, like those of rules and opinions.

    A person in a clause in the past is somebody; in the present, most are anybody (*an opera is the
    work of a composer*), except in plots. Clauses around *his* friend, a number of persons or
    *this* person may have any tense. For others, possible or intended events do not count as past
    either (*to save the patient's life*). What somebody or something was is no event.
    """
    if not _takes_part(mention.number, scene):
        return True
    tenses = (_finite(above, scene) for above in _above(mention.number, scene))
    found = [tags for tags in tenses if tags]
    determiner = mention.determiner
    certain = determiner is not None and _points_at(determiner, scene)
    if not certain and _is_open(mention.number, scene):
        return True
    return set().union(*found[:1] if certain else found) != {"VBD"}


def whole_group(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a plural is about all of a group (*the State's voters*).

    It is not if the persons are counted (*two voters*, *some of the voters*) or are somebody's
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


def has_something(number: int, scene: Scene) -> bool:
    """Return whether a noun is a possessive."""
    return bool(scene.annotation.dependents(number, "case"))


def _is_of_a_kind(number: int, scene: Scene) -> bool:
    """Return whether a noun says what kind of thing something is (*the sign of a doctor*)."""
    tokens = scene.annotation.tokens
    return tokens[number].dep == "pobj" and scene.lemma(tokens[tokens[number].head].head) in _KINDS


def _is_said_of_anybody(number: int, scene: Scene) -> bool:
    """Return whether a noun is a predicate of anybody (*everyone is a suspect*)."""
    annotation = scene.annotation
    token = annotation.tokens[number]
    return token.dep in COMPLEMENTS and any(
        annotation.lowered[subject] in _PRONOUNS_OF_ANYBODY
        for subject in annotation.dependents(token.head, *SUBJECTS)
    )


def _is_open(number: int, scene: Scene) -> bool:
    """Return whether a noun is below something hypothetical: a modal verb, infinitive or condition.

    This includes persons of whom something is required, or who are entitled to something.
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


def _takes_part(number: int, scene: Scene) -> bool:
    """Return whether a noun depends on something as one who takes part in it does."""
    tokens = scene.annotation.tokens
    while tokens[number].dep == "conj":
        number = tokens[number].head
    return tokens[number].dep in _PARTS


def _is_done(number: int, scene: Scene) -> bool:
    """Return whether an infinitive is part of a finite verb (*did not sleep*)."""
    return any(scene.lemma(one) == "do" for one in scene.annotation.dependents(number, "aux"))


def _points_at(determiner: int, scene: Scene) -> bool:
    """Return whether a determiner is a number or is used of certain persons only."""
    annotation = scene.annotation
    return annotation.tokens[determiner].tag == "CD" or annotation.lowered[determiner] in _CERTAIN


def _finite(number: int, scene: Scene) -> set[str]:
    """Return the tags of the finite verbs among a token and its auxiliaries."""
    annotation = scene.annotation
    verbs = (number, *annotation.dependents(number, "aux", "auxpass"))
    return {annotation.tokens[verb].tag for verb in verbs} & _FINITE


def _above(number: int, scene: Scene) -> Iterator[int]:
    """Yield a token and those above it in its tree."""
    while True:
        yield number
        head = scene.annotation.tokens[number].head
        if head == number:
            return
        number = head
