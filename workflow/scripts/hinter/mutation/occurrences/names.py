"""Rules on parts of names and titles, and on capitalised defined terms."""

from ..annotation import PLURAL_NOUNS, PREDICATES, SUBJECTS, Annotation, Token
from .occurrence import Occurrence, Scene

_NAMES = frozenset(
    {"EVENT", "FAC", "GPE", "LANGUAGE", "LAW", "LOC", "NORP", "ORG", "PERSON", "PRODUCT"}
    | {"WORK_OF_ART"}
)
_ARTICLES = frozenset({"a", "an", "the", "'s", "’s"})
_SUCH = frozenset({"as", "including", "like"})
_TITLES = frozenset({"Dr", "Judge", "Miss", "Mr", "Mrs", "Ms", "Professor"})


def part_of_name(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term is part of a name, or next to other capitals (*Doctor Who*).

    Entities that contain only the term and an article do not count as names.
    """
    for token in occurrence.tokens:
        others = (one for one in token.named if one not in occurrence.tokens)
        if token.entity in _NAMES and any(one.lower not in _ARTICLES for one in others):
            return True
    if not scene.is_capital(occurrence):
        return False
    word = scene.annotation.word
    before, after = occurrence.tokens[0].number - 1, occurrence.head.number + 1
    if _is_capital(word(after)):
        return True
    if word(before).lower() in ("of", "&", "and", "the", "for"):
        linked = word(before).lower() in ("of", "&", "for")
        before -= 2 if word(before - 1).lower() in ("of", "for") else 1
        return linked and before >= 0 and _is_capital(word(before))
    if word(after) == "&" or (word(after) in ("for", "of") and _is_capital(word(after + 1))):
        return True
    other = scene.annotation.at(before)
    return other is not None and _is_capital(other.word) and not scene.annotation.is_first(other)


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def defined_term(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a common word has a capital in a sentence, here or before (*such Person*)."""
    if occurrence.source[0].isupper():
        return False
    return scene.is_capital(occurrence) and scene.remembered(
        "defined_term", occurrence, ask=lambda: _has_capital_inside(occurrence, scene)
    )


def _has_capital_inside(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term is capitalised in the text other than at the start of a sentence."""
    return any(
        scene.text[start].isupper()
        and (tokens := scene.annotation.inside((start, end)))
        and not scene.annotation.is_first(tokens[0])
        for start, end in scene.found[occurrence.attribute][occurrence.source]
    )


def named_person(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term describes a person whose name is next to it (*Tom Hanks is a doctor*).

    It does in an apposition, as a title, after a form of "be" or "as", before a name in brackets,
    and after a possessive name. A predicate of a pronoun belongs to the pronoun. A gendered noun or
    adjective may always describe a person whose name is in its sentence.
    """
    token = occurrence.head
    gendered = occurrence.attribute == "gender" and token.tag not in ("PRP", "PRP$")
    sentence = scene.annotation.sentence(occurrence.tokens[0])
    if gendered and any(one.entity == "PERSON" for one in sentence):
        return True
    if occurrence.source in ("Mr", "Mrs", "Ms"):
        return True
    if token.dep in ("amod", "compound", "nmod") and token.head.number > token.number:
        return is_person(token.head) or is_person(scene.annotation.at(token.head.number + 1))
    return token.tag not in PLURAL_NOUNS and _is_next_to_name(token, scene.annotation)


def _is_next_to_name(token: Token, annotation: Annotation) -> bool:
    # A noun in apposition to a person has a person's name, whatever its entity label.
    if token.dep == "appos" and token.head.tag == "NNP":
        return True
    conjunct = token.dep == "conj" and token.head.number < token.number
    if conjunct and _is_next_to_name(token.head, annotation):
        return True
    parts = token.dependents("compound", "flat", "poss", "nmod")
    parts += (below for child in token.children if child.lower in _SUCH for below in child.children)
    if any(map(is_person, parts)) or any(one.tag == "NNP" for one in token.dependents("appos")):
        return True
    if _is_parted_from_name(token, annotation) or _is_before_name(token, annotation):
        return True
    if token.dep in PREDICATES:
        subjects = token.head.dependents(*SUBJECTS)
        return any(one.tag == "NNP" or one.lower in ("he", "she") for one in subjects)
    if token.dep == "pobj" and token.head.lower in ("as", "like"):
        above = token.head.head
        return any(is_person(one) or one.lower in ("he", "she") for one in (above, *above.children))
    return False


def _is_before_name(token: Token, annotation: Annotation) -> bool:
    """Return whether a name follows a noun, after a comma only if the noun is in apposition."""
    sign = annotation.word(token.number + 1)
    parted = sign in (",", "(", "-", "--", "called", "named")
    return is_person(annotation.at(token.number + 1 + parted)) and (
        sign != "," or token.dep == "appos"
    )


def _is_parted_from_name(token: Token, annotation: Annotation) -> bool:
    """Return whether only commas separate a noun from a name (*Tom Hanks, a doctor, slept*)."""
    after = token.number + 2
    if annotation.word(after - 1) == ",":
        if annotation.word(after).rstrip(".") in _TITLES:
            return True
        while is_person(annotation.at(after)):
            after += 1
        if after > token.number + 2 and annotation.word(after) in (",", "(", "."):
            return True
    first = min([token, *token.children], key=lambda one: one.number).number
    return annotation.word(first - 1) == "," and is_person(annotation.at(first - 2))


def is_person(token: Token | None) -> bool:
    """Return whether a token is part of a person's name, or of a name of unknown kind."""
    return token is not None and (
        token.entity == "PERSON" or (token.tag == "NNP" and token.entity in ("", "WORK_OF_ART"))
    )
