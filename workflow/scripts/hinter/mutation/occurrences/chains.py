"""Which pronouns of a text belong to which noun, as far as that is clear.

A pronoun belongs to a noun that is the only one for a person of its gender in the paragraph so far
and in the last sentences. If there are several, the pronoun is open, and all of them are in doubt.
If there is none near the pronoun, those in the rest of its sentence and those of its gender
anywhere before it are in doubt.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..annotation import Token
from ..gendered import PRONOUNS, Gender, gender_of, is_noun
from ..roles import EditSpan, Role
from .names import is_person
from .occurrence import Scene
from .pairs import is_paired

SENTENCES_BACK = 3
"""A noun is near a pronoun if it is at most this many sentences before it."""
NAME = "a name"
"""Stands for all persons with names."""


class Pronoun(NamedTuple):
    """A pronoun: its token, span and gender."""

    number: int
    span_of_edit: EditSpan
    gender: Gender


@dataclass(frozen=True)
class Chains:
    """The pronouns of each noun (lower case), the nouns in doubt, and genders of open pronouns."""

    owned: dict[str, list[Pronoun]] = field(default_factory=lambda: defaultdict(list))
    doubtful: set[str] = field(default_factory=set)
    open: set[Gender] = field(default_factory=set)

    def leading(self, gender: Gender, *, scene: Scene) -> list[Pronoun]:
        """Return the pronouns of a gender that belong to nouns for persons of any gender.

        There are none if another pronoun of the gender is open, as it may mean the same person.
        """
        if gender in self.open:
            return []
        return sorted(
            pronoun
            for noun, pronouns in self.owned.items()
            if gender_of(noun) is None and noun != NAME and noun not in self.doubtful
            for pronoun in pronouns
            if pronoun.gender is gender
        )


def chains_of(scene: Scene) -> Chains:
    """Return the chains of a text."""
    annotation = scene.annotation
    chains = Chains()
    mentions: list[tuple[int, str]] = []
    last: dict[Gender, tuple[int, str]] = {}
    pronouns = {pronoun.number: pronoun for pronoun in _pronouns(scene)}
    for number in range(len(annotation.tokens)):
        noun = mentioned(number, scene=scene)
        if noun:
            mentions.append((number, noun))
            if noun != NAME and _is_named(number, scene=scene):
                chains.doubtful.add(noun)
        if number not in pronouns:
            continue
        pronoun = pronouns[number]
        candidates = _candidates(pronoun, mentions, scene=scene)
        if pronoun.gender in last and _is_near(last[pronoun.gender][0], number, scene=scene):
            candidates.add(last[pronoun.gender][1])
        if len(candidates) != 1:
            far = {noun for _, noun in mentions if gender_of(noun) is pronoun.gender}
            chains.doubtful.update(candidates or far | _following(pronoun, scene=scene))
            chains.open.add(pronoun.gender)
            continue
        [noun] = candidates
        chains.owned[noun].append(pronoun)
        last[pronoun.gender] = number, noun
    return chains


def _pronouns(scene: Scene) -> Iterator[Pronoun]:
    annotation = scene.annotation
    for number, word in enumerate(annotation.lowered):
        if word in PRONOUNS:
            token = annotation.tokens[number]
            gender = gender_of(word)
            if gender and not is_paired((token.start, token.end), scene.text):
                span_of_edit = EditSpan(token.start, token.end, pronoun_role(word, token))
                yield Pronoun(number, span_of_edit, gender)


def pronoun_role(word: str, token: Token) -> Role:
    """Return the role of a pronoun (in lower case), by its tag and label."""
    if word in ("he", "she"):
        return Role.SUBJECT
    if word in ("himself", "herself"):
        return Role.REFLEXIVE
    if word == "him" or (word == "her" and token.tag != "PRP$"):
        return Role.OBJECT
    if word == "hers" or (word == "his" and token.dep != "poss"):
        return Role.POSSESSIVE
    return Role.DETERMINER


def mentioned(number: int, *, scene: Scene) -> str | None:
    """Return a token that is a noun for one person, `NAME` for a name, None for any other."""
    annotation = scene.annotation
    token, word = annotation.tokens[number], annotation.lowered[number]
    if scene.text.startswith("-in-law", token.end):
        word += "-in-law"
    if token.tag in ("NN", "NNP") and (is_noun(word) or word in scene.lists.persons):
        return word
    if word in ("mr", "mr.", "mrs", "mrs.", "ms", "ms.") or is_person(number, scene):
        return NAME
    return None


def _candidates(pronoun: Pronoun, mentions: Sequence[tuple[int, str]], *, scene: Scene) -> set[str]:
    """Return the nouns before a pronoun that it may belong to."""
    candidates = set()
    for number, noun in reversed(mentions):
        if not _is_near(number, pronoun.number, scene=scene):
            break
        if gender_of(noun) in (None, pronoun.gender):
            candidates.add(noun)
    return candidates


def _is_near(number: int, pronoun: int, *, scene: Scene) -> bool:
    sentences, paragraphs = scene.annotation.sentence_numbers, scene.paragraphs
    return (
        sentences[pronoun] - sentences[number] <= SENTENCES_BACK
        and paragraphs[pronoun] == paragraphs[number]
    )


def _following(pronoun: Pronoun, *, scene: Scene) -> set[str]:
    """Return the nouns in the rest of a pronoun's sentence that it may belong to."""
    sentence = scene.annotation.sentence_numbers[pronoun.number]
    _, end = scene.annotation.sentences[sentence]
    nouns = (mentioned(number, scene=scene) for number in range(pronoun.number + 1, end))
    return {noun for noun in nouns if noun and gender_of(noun) in (None, pronoun.gender)}


def _is_named(number: int, *, scene: Scene) -> bool:
    """Return whether a noun has a name in apposition, or in brackets."""
    annotation = scene.annotation
    after = number + 1
    if scene.word(after) in (",", "(", ":"):
        after += 1
    title = scene.word(after).lower().rstrip(".") in ("mr", "mrs", "ms", "sir", "lady")
    if title or (after > number + 1 and is_person(after, scene)):
        return True
    related = [*annotation.children[number], annotation.tokens[number].head]
    return any(
        annotation.tokens[other].dep in ("appos", "nsubj", "attr") and is_person(other, scene)
        for other in related
        if other != number and annotation.tokens[number].dep in ("appos", "attr", "nsubj")
    )
