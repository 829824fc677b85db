"""Rules on parts of names and titles, and on capitalised defined terms."""

from ..annotation import PLURAL_NOUNS, PREDICATES, SUBJECTS
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
    annotation = scene.annotation
    for number in occurrence.tokens:
        token = annotation.tokens[number]
        if token.entity in _NAMES:
            first, end = annotation.entities[token.entity_start]
            others = set(range(first, end)) - set(occurrence.tokens)
            if any(annotation.lowered[other] not in _ARTICLES for other in others):
                return True
    if not scene.found_text(occurrence)[0].isupper():
        return False
    before, after = occurrence.tokens[0] - 1, occurrence.tokens[-1] + 1
    if _is_capital(scene.word(after)):
        return True
    if scene.word(before).lower() in ("of", "&", "and", "the", "for"):
        linked = scene.word(before).lower() in ("of", "&", "for")
        before -= 2 if scene.word(before - 1).lower() in ("of", "for") else 1
        return linked and before >= 0 and _is_capital(scene.word(before))
    if scene.word(after) == "&" or (
        scene.word(after) in ("for", "of") and _is_capital(scene.word(after + 1))
    ):
        return True
    return before >= 0 and _is_capital(scene.word(before)) and not scene.is_first(before)


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def defined_term(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a common word has a capital in a sentence, here or before (*such Person*)."""
    if occurrence.source[0].isupper():
        return False
    return scene.found_text(occurrence)[0].isupper() and scene.remembered(
        "defined_term", occurrence, ask=lambda: _has_capital_inside(occurrence, scene)
    )


def _has_capital_inside(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term is capitalised in the text other than at the start of a sentence."""
    return any(
        scene.text[start].isupper()
        and (tokens := scene.annotation.inside((start, end)))
        and not scene.is_first(tokens[0])
        for start, end in scene.found[occurrence.attribute][occurrence.source]
    )


def named_person(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term describes a person whose name is next to it (*Tom Hanks is a doctor*).

    It does in an apposition, as a title, after a form of "be" or "as", before a name in brackets,
    and after a possessive name. A predicate of a pronoun belongs to the pronoun. A gendered noun or
    adjective may always describe a person whose name is in its sentence.
    """
    annotation, number = scene.annotation, scene.head(occurrence)
    token = annotation.tokens[number]
    gendered = occurrence.attribute == "gender" and token.tag not in ("PRP", "PRP$")
    if gendered and any(
        annotation.tokens[i].entity == "PERSON" for i in range(*scene.sentence(occurrence))
    ):
        return True
    if occurrence.source in ("Mr", "Mrs", "Ms"):
        return True
    if token.dep in ("amod", "compound", "nmod") and token.head > number:
        return is_person(token.head, scene) or is_person(token.head + 1, scene)
    return token.tag not in PLURAL_NOUNS and _is_next_to_name(number, scene)


def _is_next_to_name(number: int, scene: Scene) -> bool:
    annotation = scene.annotation
    token = annotation.tokens[number]
    # A noun in apposition to a person has a person's name, whatever its entity label.
    if token.dep == "appos" and annotation.tokens[token.head].tag == "NNP":
        return True
    if token.dep == "conj" and token.head < number and _is_next_to_name(token.head, scene):
        return True
    parts = annotation.dependents(number, "compound", "flat", "poss", "nmod")
    parts += (
        below
        for child in annotation.children[number]
        if annotation.lowered[child] in _SUCH
        for below in annotation.children[child]
    )
    if any(is_person(part, scene) for part in parts) or any(
        annotation.tokens[child].tag == "NNP" for child in annotation.dependents(number, "appos")
    ):
        return True
    after = number + 1
    if _is_parted_from_name(number, scene):
        return True
    if scene.word(after) in (",", "(", "-", "--", "called", "named"):
        after += 1
    if is_person(after, scene) and scene.word(number + 1) != ",":
        return True
    if scene.word(number + 1) == "," and is_person(after, scene) and token.dep == "appos":
        return True
    if token.dep in PREDICATES:
        return any(
            annotation.tokens[child].tag == "NNP" or annotation.lowered[child] in ("he", "she")
            for child in annotation.dependents(token.head, *SUBJECTS)
        )
    if token.dep == "pobj" and annotation.lowered[token.head] in ("as", "like"):
        above = annotation.tokens[token.head].head
        related = [above, *annotation.children[above]]
        return any(
            is_person(child, scene) or annotation.lowered[child] in ("he", "she")
            for child in related
        )
    return False


def _is_parted_from_name(number: int, scene: Scene) -> bool:
    """Return whether only commas separate a noun from a name (*Tom Hanks, a doctor, slept*)."""
    annotation = scene.annotation
    after = number + 2
    if scene.word(number + 1) == ",":
        if scene.word(after).rstrip(".") in _TITLES:
            return True
        while is_person(after, scene):
            after += 1
        if after > number + 2 and scene.word(after) in (",", "(", "."):
            return True
    first = min([number, *annotation.children[number]])
    return scene.word(first - 1) == "," and is_person(first - 2, scene)


def is_person(number: int, scene: Scene) -> bool:
    """Return whether a token is part of a person's name, or of a name of unknown kind."""
    tokens = scene.annotation.tokens
    if not 0 <= number < len(tokens):
        return False
    token = tokens[number]
    return token.entity == "PERSON" or (token.tag == "NNP" and token.entity in ("", "WORK_OF_ART"))
