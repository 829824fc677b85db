"""The rules that exclude occurrences: on longer expressions, address, number and demonyms."""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from ..annotation import DETERMINERS, SUBJECTS
from ..plain import Span
from .occurrence import Occurrence, Scene
from .persons import defined_term, gender_told

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


_AFTER = re.compile(
    r"[\s-]+(?:language|languages|version|versions|special\s+edition|text|subtitles?|subtitled|"
    r"dubb\w*|dialogue|speak\w*|accents?|words?|translations?|dictionary|alphabet|grammar|"
    r"\(\w{2}\))",
    re.IGNORECASE,
)
_SPEECH = re.compile(
    r"\b(?:in|into|from|speaks?|speaking|spoke|spoken|learn\w*|understands?|with)\s+"
    r"(?:\w+\s+(?:and|or)\s+)?$",
    re.IGNORECASE,
)
_CURRENCY = re.compile(
    r"\s+(?:\([A-Z]{3}\)|dollars?|euros?|francs?|marks?|pesos?|lei|leu|levs?|kunas?|hryvn\w+|"
    r"roubles?|rubles?|forints?|zlotys?|koruna?s?|kron\w+|liras?|lire|pounds?|yen|yuan|rupees?|"
    r"dinars?|rials?|riyals?|drachmas?|shillings?|schillings?|escudos?|pesetas?|guilders?)\b"
)
_NAMED = re.compile(
    r"\b(?:languages?|translat\w+|interpreters?|subtitles?|subs|dubbed|audio|dialogu?e?s?)\b",
    re.IGNORECASE,
)
MANY = 3
"""The fewest languages that make a list."""


def language(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a demonym names a language (*he spoke French*)."""
    if occurrence.source not in scene.lists.languages:
        return False
    start, end = occurrence.span
    if any(token.entity == "LANGUAGE" for token in occurrence.tokens):
        return True
    if _AFTER.match(scene.text, end):
        return True
    is_noun = occurrence.head.dep in ("pobj", "dobj", "ROOT", "conj")
    if is_noun and _SPEECH.search(scene.text, max(0, start - 40), start):
        return True
    sentence = scene.annotation.sentence(occurrence.tokens[0])
    if _NAMED.search(scene.text[sentence[0].start : sentence[-1].end]):
        return True
    return len({token.word for token in sentence}.intersection(scene.lists.languages)) >= MANY


def country_named(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether a text names the country of a demonym or its capital (*French*, *Paris*)."""
    if _CURRENCY.match(scene.text, occurrence.span[1]):
        return True
    words = scene.lists.country_words
    pattern = words.get(occurrence.source) or words.get(occurrence.source.split()[0])
    return pattern is not None and scene.remembered(
        "country_named",
        occurrence,
        ask=lambda: pattern.search(scene.without(occurrence)) is not None,
    )


Rule = Callable[[Occurrence, Scene], bool]

_RULES: tuple[Rule, ...] = (
    *(part_of_longer_term, broken_word, defined_term, language, country_named),
    *(compound, address, gender_told, other_number),
)
RULES: dict[str, Rule] = {rule.__name__: rule for rule in _RULES}
OTHER_WORDS = frozenset({"broken_word", "part_of_longer_term"})
"""Rules that say nothing about other occurrences of a term, as they find another word."""


class Note(StrEnum):
    """Why an occurrence or a mention is excluded without a rule of the study (see `reasons`)."""

    UNANNOTATED = "unannotated"
    ELSEWHERE = "elsewhere"
    AMBIGUOUS_CHAIN = "ambiguous_chain"
    OTHER_FORM = "other_form"
    WITHOUT_PARTNER = "without_partner"
    TOLD_TWICE = "told_twice"
    SAME_DESCRIPTOR = "same_descriptor"
    NOTHING_FITS = "nothing_fits"


def rules_for(
    occurrences: Sequence[Occurrence], scene: Scene, *, rules: Sequence[str]
) -> list[str | None]:
    """Return for each occurrence of a term the rule that excludes it, or None.

    If a rule excludes one, all are excluded: a text that describes the same persons in two ways
    would contradict itself.
    """
    found = [
        next((name for name in rules if RULES[name](occurrence, scene)), None)
        if occurrence.tokens
        else Note.UNANNOTATED
        for occurrence in occurrences
    ]
    if OTHER_WORDS.issuperset(filter(None, found)):
        return found
    return [rule or Note.ELSEWHERE for rule in found]
