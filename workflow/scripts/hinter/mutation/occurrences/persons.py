"""Names, pairs of pronouns, and rules on defined terms and on nouns of a known gender."""

import re
from collections.abc import Iterator

from ..agreement import PRONOUNS, Gender, counterpart_of, gender_of, is_noun
from ..annotation import PLURAL_NOUNS, Token
from ..plain import Span
from .occurrence import Occurrence, Scene

_HE, _SHE = r"(?:he|him|his|himself)", r"(?:s?he|hers?|herself)"
_NEITHER = r"(?:its?|itself|they|them|theirs?|themselves)"
_LINK = r"(?:\s*(?:,|/|\()\s*(?:or\s+|and\s+)?|\s+(?:or|and|nor)\s+)"
_PAIRED = re.compile(
    rf"(?<!\w)(?:{_HE}{_LINK}{_SHE}\)?|{_SHE}{_LINK}{_HE}\)?|(?:{_HE}|{_SHE}))"
    rf"(?:,?\s+or\s+{_NEITHER}|/{_NEITHER})?(?!\w)|(?<!\w)(?:s/he|\(s\)he)(?!\w)",
    re.IGNORECASE,
)
_SINGLE = re.compile(rf"(?:{_HE}|{_SHE})", re.IGNORECASE)
_PERSONS = {
    Gender.MASCULINE: frozenset(
        {"boy", "dude", "fiance", "fiancé", "gentleman", "guy", "lad", "male", "man"}
    ),
    Gender.FEMININE: frozenset(
        {"bride", "chick", "female", "fiancee", "fiancée", "gal", "girl", "lady", "lass", "woman"}
    ),
}
"""Words that may speak of any person of a gender."""
_KIN = frozenset(
    f"{before}{noun}"
    for noun in (
        *("aunt", "boyfriend", "brother", "dad", "daddy", "daughter", "father", "girlfriend"),
        *("husband", "mom", "mommy", "mother", "nephew", "niece", "sister", "son", "uncle", "wife"),
    )
    for before in ("", "ex-", "grand", "great-grand", "half-", "step")
    if is_noun(f"{before}{noun}")
)
_NOT_MEN = frozenset({"german", "human", "norman", "roman"})
_TITLES = frozenset({"mr", "mrs", "ms"})


def is_person(token: Token | None) -> bool:
    """Return whether a token is part of a person's name, or of a name of unknown kind."""
    return token is not None and (
        token.entity == "PERSON" or (token.tag == "NNP" and token.entity in ("", "WORK_OF_ART"))
    )


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


def is_paired(span: Span, text: str) -> bool:
    """Return whether the text at `span` is part of a pair of pronouns."""
    start, end = span
    return any(
        match.start() <= start and end <= match.end() and not _SINGLE.fullmatch(match[0])
        for match in _PAIRED.finditer(text, max(0, start - 60), min(len(text), end + 60))
    )


def gender_told(occurrence: Occurrence, scene: Scene) -> bool:
    """Return whether other words determine the gender of a noun, title or adjective.

    These are any other gendered noun or adjective in the sentence or an adjacent one (*the woman
    is no lady*), the counterpart of a word for kin in the whole text (*the mother needs the
    father's consent*), and the title of the same person (*Mr Smith is a waiter*). For a word with
    which no pronoun changes (a plural, title or adjective), they are also a pronoun nearby that may
    refer to the person (*my sons, and he*; *the male nurse lost his keys*).
    """
    noun = occurrence.head
    if occurrence.attribute != "gender" or noun.tag in ("PRP", "PRP$"):
        return False
    lemma, near = noun.lemma.rstrip("."), scene.annotation.around(occurrence.tokens[0])
    gender = gender_of(lemma) or _gender(lemma)
    if gender is None:
        return False
    alone = noun.tag in PLURAL_NOUNS or not is_noun(lemma)
    return (
        (alone and any(one.lower in PRONOUNS and gender_of(one.lower) is gender for one in near))
        or any(map(_gender, {one.lemma for one in near} - {lemma}))
        or (lemma in _KIN and counterpart_of(lemma) in scene.all_lemmas)
        or any(child.lemma.rstrip(".") in _TITLES for one in _same(noun) for child in one.children)
    )


def _same(token: Token) -> Iterator[Token]:
    """Yield the noun that a noun is in apposition to, or the subject of which it is a predicate."""
    if token.dep == "appos":
        yield token.head
    if token.dep == "attr":
        yield from token.head.dependents("nsubj")


def _gender(lemma: str) -> Gender | None:
    """Return the gender of a noun or adjective for a person."""
    if lemma in PRONOUNS or lemma.rstrip(".") in _TITLES:
        return None
    gender = next((gender for gender, words in _PERSONS.items() if lemma in words), None)
    gender = gender or gender_of(lemma)
    if gender is None and lemma.endswith("man") and lemma not in _NOT_MEN:
        return Gender.FEMININE if lemma.endswith("woman") else Gender.MASCULINE
    return gender
