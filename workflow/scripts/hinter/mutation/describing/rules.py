"""Rules that exclude mentions of persons by the words and names next to them."""

import re
from collections.abc import Callable

from ...yaml_files import data_of
from ..annotation import DETERMINERS, NOUNS, PLURAL_NOUNS, PREDICATES, SUBJECTS, Annotation, Token
from ..occurrences import Occurrence, Scene, is_fixed, is_person
from .mentions import Mention
from .statements import COMPLEMENTS, is_possessive

Rule = Callable[[Mention, Occurrence, Scene], bool]
"""A rule returns whether it excludes a mention, which is an occurrence for each attribute."""
_WORDS = {name: frozenset(words) for name, words in data_of(__file__).items()}
"""Words and labels by what they show, from the YAML file of this name."""

_SUPERLATIVES = ("JJS", "RBS")
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
    before = scene.annotation.at(token.number - 1)
    if (
        before is not None
        and before.tag == "JJ"
        and not any(before in one.tokens for one in mention.inside)
        and is_fixed((before.start, token.end), scene)
    ):
        return True
    return is_possessive(token) and (token.tag == "NNS" or token.head.lemma == "office")


def singled_out(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a person is unique, or has a superlative or a rank (*the best doctor*)."""
    determiner = () if mention.determiner is None else (mention.determiner,)
    return any(
        token.tag in _SUPERLATIVES
        or token.entity == "ORDINAL"
        or (token.head is mention.token and token.lower in _WORDS["singled_out"])
        for token in (*mention.modifiers, *determiner)
    )


def becoming(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether somebody becomes, or is assumed to be, one (*she became a doctor*).

    This includes working as one, having the role of one, being born one, and being one for a while
    (*being a doctor*), but not the certain ones of roles (*good as the doctor*).
    """
    token, head = mention.token, mention.token.head
    if token.dep in COMPLEMENTS and (head.lemma in _WORDS["changes"] or head.lower == "being"):
        return True
    if mention.determiner is None or mention.determiner.lower not in ("a", "an"):
        return False
    lemmas = {one.lemma for one in (head.head, *head.head.children)}
    return token.dep == "pobj" and (
        head.lemma in _WORDS["roles"] or not lemmas.isdisjoint(_WORDS["new"])
    )


def coordinated_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a descriptor might also describe somebody else (*a doctor and nurse*)."""
    return any(
        other.tag in NOUNS and not other.dependents(*DETERMINERS)
        for other in mention.token.dependents("conj")
    )


def part_of_name(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term is part of a name, or next to other capitals (*Doctor Who*).

    Entities that contain only the term and an article do not count as names.
    """
    token, word = mention.token, scene.annotation.word
    others = (one for one in token.named if one is not token)
    if token.entity in _WORDS["names"] and any(
        one.lower not in _WORDS["articles"] for one in others
    ):
        return True
    if not scene.is_capital(occurrence):
        return False
    before, after = token.number - 1, token.number + 1
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


def named_person(mention: Mention, occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a term describes a person whose name is next to it (*Tom Hanks is a doctor*).

    It does in an apposition, as a title, after a form of "be" or "as", before a name in brackets,
    and after a possessive name. A predicate of a pronoun belongs to the pronoun. A gendered noun or
    adjective may always describe a person whose name is in its sentence.
    """
    token = mention.token
    sentence = scene.annotation.sentence(token)
    if occurrence.attribute == "gender" and any(one.entity == "PERSON" for one in sentence):
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
    parts += (
        below
        for child in token.children
        if child.lower in _WORDS["such"]
        for below in child.children
    )
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
        if annotation.word(after).rstrip(".") in _WORDS["titles"]:
            return True
        while is_person(annotation.at(after)):
            after += 1
        if after > token.number + 2 and annotation.word(after) in (",", "(", "."):
            return True
    first = min([token, *token.children], key=lambda one: one.number).number
    return annotation.word(first - 1) == "," and is_person(annotation.at(first - 2))
