"""Occurrences that do not stand for a person, or stand for any person at all."""

import re

from ..gendered import is_noun
from .occurrence import Occurrence, Scene

_VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_ADJECTIVAL = ("amod", "acomp", "attr", "conj", "oprd", "compound", "nmod")
_BEFORE_NOUN = ("amod", "compound", "nmod", "poss")
_PREDICATE = ("acomp", "attr", "oprd")
_PEOPLE = frozenset(
    {"ancestry", "being", "chick", "community", "couple", "crowd", "descent", "family", "folk"}
    | {"gal", "human", "lad", "minority", "origin", "people", "population", "woman"}
)
_PERSONAL = frozenset({"he", "her", "him", "i", "she", "they", "we", "who", "you"})
_TRADE = re.compile(r"\w(?:eer|ess|ian|ist|man|woman)$")
_ANYBODY = frozenset(
    {"human being", "human beings", "individual", "individuals", "people", "person", "persons"}
)
_MEMBERS = frozenset({"citizens", "employees", "folks", "patients", "students", "workers"})
"""Words for anybody who belongs to an institution or a place."""
_ALL = frozenset({"all", "another", "any", "each", "every", "most", "no", "such", "these", "those"})
_LIKENING = frozenset({"as", "except", "like", "than"})
_QUANTITIES = frozenset({"few", "last", "first", "many", "more", "only", "several"})
_BODIES = re.compile(
    r"\b(?:agenc|associat|bod|business|collectiv|compan|corporat|entit|firm|government|group|"
    r"institution|legal person|nation|organi[sz]ation|partnership|services|states?\b|undertaking)",
    re.IGNORECASE,
)
_LEGAL_PERSONS = re.compile(
    r"\b(?:legal persons?|natural persons?|entity|entities|undertakings?)\b", re.IGNORECASE
)
_FOLLOWING = ("acl", "prep", "relcl")
_NOTION = 3
"""So many occurrences in a text make a notion of its own, such as the person of a statute."""


def not_person(occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a word tells of no person, by its sense, word class or noun (*a Thai dish*)."""
    pattern = scene.lists.needed.get(occurrence.source)
    if pattern and not scene.told(
        "needed", occurrence, ask=lambda: holds_other(scene.text, pattern, occurrence)
    ):
        return True
    token = scene.token(occurrence)
    if token.tag in _VERBS:
        return token.dep not in _ADJECTIVAL
    is_demonym = occurrence.attribute == "race" and token.tag not in ("NNS", "NNPS")
    # A Hindu is a person, a Hindu wedding is none.
    is_faith = occurrence.attribute == "religion" and token.dep in _BEFORE_NOUN
    if not is_demonym and not is_faith and not token.tag.startswith("JJ"):
        return False
    return not _describes_person(occurrence, scene)


def _describes_person(occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether an adjective describes a person, as far as its noun tells.

    An age does so before a noun alone, since "quite young" is mostly one side of a contrast. An
    adjective used as a noun (an American) has no form in all nations (a Swede).
    """
    annotation, number = scene.annotation, scene.head(occurrence)
    token = annotation.tokens[number]
    if is_human(number, scene):
        return True
    if token.dep in _BEFORE_NOUN:
        graded = any(
            annotation.tokens[child].dep == "advmod" for child in annotation.children[number]
        )
        return is_human(token.head, scene) and not (graded and occurrence.attribute == "age")
    if token.dep in _PREDICATE and occurrence.attribute != "age":
        return any(
            is_human(child, scene) or annotation.lowered[child] in _PERSONAL
            for child in annotation.children[token.head]
            if annotation.tokens[child].dep in ("nsubj", "nsubjpass")
        )
    return (
        token.dep == "conj"
        and token.head != number
        and is_human(annotation.tokens[token.head].head, scene)
    )


def is_human(number: int, scene: Scene) -> bool:
    """Tell whether a noun stands for a person or for people."""
    lemma = scene.lemma(number)
    known = lemma in scene.lists.persons or lemma in _PEOPLE or is_noun(lemma)
    return known or (
        _TRADE.search(lemma) is not None and scene.annotation.tokens[number].tag.startswith("NN")
    )


def anybody(occurrence: Occurrence, scene: Scene) -> bool:
    """Tell whether a word for any person at all would leave out whom the text means to take in.

    So it would beside institutions or in a text on legal persons (*any person or entity*), after
    "all", "other", "except" and the like, where the person is known (*the person concerned*) or
    described, in "my people", and where the text speaks of it again and again; a bare "man" is
    mankind.
    """
    annotation, number = scene.annotation, scene.head(occurrence)
    before = {
        label: {
            annotation.lowered[child]
            for child in annotation.children[number]
            if annotation.tokens[child].dep == label and child < number
        }
        for label in ("amod", "det", "poss", "predet", "nummod")
    }
    universal = not _ALL.isdisjoint(before["det"] | before["predet"] | before["amod"])
    if occurrence.source in ("man", "men", "woman", "women"):
        bare = annotation.tokens[number].tag == "NN" and not any(before.values())
        return universal or bare
    if not is_anybody(occurrence):
        return False
    governor = annotation.tokens[number].head
    compared = annotation.tokens[number].dep == "pobj" and annotation.lowered[governor] in _LIKENING
    own = bool(before["poss"]) and occurrence.source == "people"
    if universal or compared or own or occurrence.source in _MEMBERS:
        return universal or compared or own
    spans = scene.found[occurrence.attribute][occurrence.source]
    followed = any(
        annotation.tokens[child].dep in _FOLLOWING for child in annotation.children[number]
    )
    singular = annotation.tokens[number].tag == "NN"
    known = "the" in before["det"] and (singular or not followed)
    return (
        len(spans) >= _NOTION
        or bool(before["amod"] - _QUANTITIES)
        or known
        or scene.told(
            "legal_persons", occurrence, ask=lambda: _LEGAL_PERSONS.search(scene.text) is not None
        )
        or _BODIES.search(scene.sentence_text(occurrence)) is not None
    )


def is_anybody(occurrence: Occurrence) -> bool:
    """Tell whether a term is a word for any person, or any member, that a condition is added to."""
    return occurrence.attribute == "body" and occurrence.source in _ANYBODY | _MEMBERS


def holds_other(text: str, pattern: re.Pattern[str], occurrence: Occurrence) -> bool:
    """Tell whether a text holds a word of a pattern that is no part of the term itself."""
    term = occurrence.source.lower()
    return any(match[0].lower() not in term for match in pattern.finditer(text))
