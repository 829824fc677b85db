"""Rules on parts of longer expressions, on forms of address, and on number."""

import re

from ..annotation import DETERMINERS, SUBJECTS
from ..roles import Span
from .occurrence import Occurrence, Scene

LONGEST = 60
"""The length of the longest fixed expression, in characters."""
_HYPHEN_BEFORE = re.compile(r"\w[-\u00ad\u2010\u2011]\s+$")
_CALLS = ("oh", "hey", "o", "dear")
_OBJECT_OR_SUBJECT = (*SUBJECTS, "dobj", "pobj", "iobj", "dative", "poss", "csubj")


def part_of_longer_term(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a longer term of the attribute contains the occurrence (*Asian kids*)."""
    return occurrence.span in scene.inside_longer[occurrence.attribute]


def compound(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term is part of a fixed expression, or a noun in a compound.

    It is in a compound if it modifies a noun (*child custody*), or if the noun right before it
    modifies it (*pole dancer*).
    """
    if is_fixed(occurrence.span, scene):
        return True
    if not scene.is_noun(occurrence) or occurrence.source[0].isupper():
        return False
    annotation, number = scene.annotation, scene.head(occurrence)
    if annotation.tokens[number].dep in ("compound", "nmod"):
        return True
    first = occurrence.tokens[0]
    # A hyphen makes it an adjective (part-time housekeeper).
    return first > 0 and (
        annotation.tokens[first - 1].dep == "compound"
        and scene.word(first - 2) != "-"
        and annotation.tokens[first - 1].head in occurrence.tokens
    )


def is_fixed(span: Span, scene: Scene) -> bool:
    """Return whether a span is in a fixed expression."""
    start, end = span
    found = scene.lists.fixed_terms.finditer(scene.text, max(0, start - LONGEST), end + LONGEST)
    return any(match.start() <= start and end <= match.end() for match in found)


def broken_word(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term is part of a word that a line break separates (*rea- sons*)."""
    start, _ = occurrence.span
    return _HYPHEN_BEFORE.search(scene.text, max(0, start - 6), start) is not None


def other_number(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a text also has a word for an age or a gender in the other number (*sons*)."""
    if occurrence.attribute not in ("age", "gender") or not scene.is_noun(occurrence):
        return False
    number = scene.head(occurrence)
    return bool(scene.noun_forms[scene.lemma(number)] - {scene.annotation.lowered[number]})


def address(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a noun addresses somebody, or is an exclamation (*Man, that is bad*)."""
    annotation, number = scene.annotation, scene.head(occurrence)
    token = annotation.tokens[number]
    if not scene.is_noun(occurrence):
        return False
    first = occurrence.tokens[0]
    if token.dep in ("intj", "npadvmod", "vocative") or scene.word(first - 1).lower() in _CALLS:
        return True
    bare = not annotation.children[number] or first == number
    begins, ends = scene.is_first(first), scene.word(number + 1) in (",", "!", "?", ".", "...", "")
    singular = token.tag in ("NN", "NNP") and not annotation.dependents(
        number, *DETERMINERS, "nummod", "amod"
    )
    if begins and bare and (ends or singular) and scene.word(number + 1) != ".":
        return singular or scene.word(number + 1) in (",", "!")
    return (
        scene.word(first - 1) == ","
        and ends
        and token.dep not in (*_OBJECT_OR_SUBJECT, "conj", "appos", "attr")
    )
