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
    if not occurrence.is_noun or occurrence.source[0].isupper():
        return False
    if occurrence.head.dep in ("compound", "nmod"):
        return True
    first = occurrence.tokens[0].number
    before = scene.annotation.at(first - 1)
    # A hyphen makes it an adjective (part-time housekeeper).
    return before is not None and (
        before.dep == "compound"
        and scene.annotation.word(first - 2) != "-"
        and before.head in occurrence.tokens
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
    if occurrence.attribute not in ("age", "gender") or not occurrence.is_noun:
        return False
    return bool(scene.noun_forms[occurrence.head.lemma] - {occurrence.head.lower})


def address(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a noun addresses somebody, or is an exclamation (*Man, that is bad*)."""
    if not occurrence.is_noun:
        return False
    first, noun = occurrence.tokens[0], occurrence.head
    before, after = (scene.annotation.word(n) for n in (first.number - 1, noun.number + 1))
    if noun.dep in ("intj", "npadvmod", "vocative") or before.lower() in _CALLS:
        return True
    bare = not noun.children or first is noun
    begins, ends = scene.annotation.is_first(first), after in (",", "!", "?", ".", "...", "")
    singular = noun.tag in ("NN", "NNP") and not noun.dependents(*DETERMINERS, "nummod", "amod")
    if begins and bare and (ends or singular) and after != ".":
        return singular or after in (",", "!")
    return before == "," and ends and noun.dep not in (*_OBJECT_OR_SUBJECT, "conj", "appos", "attr")
