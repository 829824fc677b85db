"""Rules that exclude mentions of persons by the words next to them."""

import re
from collections.abc import Callable

from ..annotation import DETERMINERS, NOUNS
from ..occurrences import Occurrence, Scene, is_fixed
from .mentions import Mention
from .statements import COMPLEMENTS, is_possessive

Rule = Callable[[Mention, Occurrence, Scene], bool]
"""A rule returns whether it excludes a mention, which is an occurrence for each attribute."""

_SINGLED_OUT = frozenset(
    {"another", "further", "first", "former", "last", "latter", "next", "only", "other", "same"}
    | {"sole", "very"}
)
_SUPERLATIVES = ("JJS", "RBS")
_CHANGES = frozenset(
    {"appoint", "bear", "become", "call", "consider", "deem", "elect", "make", "turn"}
)
_ROLES = frozenset({"as", "into"})
_NEW = frozenset({"birth", "post", "position", "role", "status"})
_QUOTED = re.compile(r"“[^“”]*”|‘[^’\n]*’(?!\w)|(?<!\w)\"(?=\S)[^\"\n]*\"(?!\w)|«[^»\n]*»")
_PARTED = re.compile(r"/|\w-\s")
"""The signs between two nouns, or between the parts of a word that a line break separates."""
_JOINED = re.compile(r"^[-/‑#]|[-/‑#]$")
"""The signs that make a noun a part of another word."""


def capitals(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a noun has a capital, like names and defined terms (*the Doctor*)."""
    return mention.token.word != mention.token.lower


def quoted(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a person is in quotes, in a title or a rule (*“the right of the woman”*).

    Somebody's person may be (*“I saw my friend”*), but not alone (*my “friend”*).
    """
    start, end = occurrence.span
    quotes = (found for found in _QUOTED.finditer(scene.text) if found.start() < start)
    around = [found.start() for found in quotes if end < found.end()]
    if not mention.owned or mention.determiner is None:
        return bool(around)
    return any(mention.determiner.start < quote for quote in around)


def part_of_expression(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a noun is part of another word, or says what a thing is for.

    This is true of a noun that modifies another (*child custody*), is next to a hyphen
    (*man-made*) or in a hashtag, follows an adjective of a fixed expression (*bad guys*), is the
    possessive of a plural (*the women's unit*), or is the possessive of an office (*the
    prosecutor's office*).
    """
    token = mention.token
    around = scene.text[max(0, token.start - 1) : token.end + 1]
    between = scene.text[mention.start : token.start]
    if token.dep in ("compound", "nmod") or _JOINED.search(around) or _PARTED.search(between):
        return True
    after = scene.annotation.at(token.number + 1)
    if after is not None and after.head is token and after.dep == "amod":
        return True
    if _is_fixed(mention, scene):
        return True
    return is_possessive(token) and (token.tag == "NNS" or token.head.lemma == "office")


def _is_fixed(mention: Mention, scene: Scene) -> bool:
    """Return whether a noun and the adjective before it, no descriptor, are a fixed expression."""
    before = scene.annotation.at(mention.token.number - 1)
    if before is None or before.tag != "JJ" or any(before in one.tokens for one in mention.inside):
        return False
    return is_fixed((before.start, mention.token.end), scene)


def singled_out(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a person is unique, or has a superlative or a rank (*the best doctor*)."""
    determiner = () if mention.determiner is None else (mention.determiner,)
    return any(
        token.tag in _SUPERLATIVES
        or token.entity == "ORDINAL"
        or (token.head is mention.token and token.lower in _SINGLED_OUT)
        for token in (*mention.modifiers, *determiner)
    )


def becoming(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether somebody becomes, or is assumed to be, one (*she became a doctor*).

    This includes working as one, having the role of one, being born one, and being one for a while
    (*being a doctor*), but not the certain ones of roles (*good as the doctor*).
    """
    token, head = mention.token, mention.token.head
    if token.dep in COMPLEMENTS and (head.lemma in _CHANGES or head.lower == "being"):
        return True
    if mention.determiner is None or mention.determiner.lower not in ("a", "an"):
        return False
    lemmas = {one.lemma for one in (head.head, *head.head.children)}
    return token.dep == "pobj" and (head.lemma in _ROLES or not lemmas.isdisjoint(_NEW))


def coordinated_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a descriptor might also describe somebody else (*a doctor and nurse*)."""
    return any(
        other.tag in NOUNS and not other.dependents(*DETERMINERS)
        for other in mention.token.dependents("conj")
    )
