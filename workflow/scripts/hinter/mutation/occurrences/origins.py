"""Rules on demonyms that name a language, or whose country the text names."""

import re

from .occurrence import Occurrence, Scene

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
