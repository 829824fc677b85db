"""Which pronouns of a text belong to which noun, as far as that is clear.

A pronoun belongs to a noun that is the only one for a person of its gender in the paragraph so far
and in the last sentences. If there are several, the pronoun is open, and all of them are in doubt.
If there is none near the pronoun, those in the rest of its sentence and those of its gender
anywhere before it are in doubt.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from ..agreement import PRONOUNS, EditSpan, Gender, Role, gender_of, is_noun
from ..annotation import Annotation, Token
from .occurrence import Scene
from .persons import is_paired, is_person

SENTENCES_BACK = 3
"""A noun is near a pronoun if it is at most this many sentences before it."""
NAME = "a name"
"""Stands for all persons with names."""
_SAME = ("appos", "attr", "nsubj")


@dataclass(frozen=True)
class Chains:
    """The pronouns of each noun (lower case), the nouns in doubt, and genders of open pronouns.

    A pronoun in a pair (he or she) belongs to no noun.
    """

    owned: dict[str, list[Token]] = field(default_factory=lambda: defaultdict(list))
    doubtful: set[str] = field(default_factory=set)
    open: set[Gender] = field(default_factory=set)

    def leading(self, gender: Gender) -> list[Token]:
        """Return the pronouns of a gender that belong to nouns for persons of any gender.

        There are none if another pronoun of the gender is open, as it may mean the same person.
        """
        if gender in self.open:
            return []
        leading = (
            pronoun
            for noun, pronouns in self.owned.items()
            if gender_of(noun) is None and noun != NAME and noun not in self.doubtful
            for pronoun in pronouns
            if gender_of(pronoun.lower) is gender
        )
        return sorted(leading, key=lambda pronoun: pronoun.number)


def chains_of(scene: Scene) -> Chains:
    """Return the chains of a text."""
    chains = Chains()
    mentions: list[tuple[Token, str]] = []
    last: dict[Gender, tuple[Token, str]] = {}
    for token in scene.tokens:
        noun = mentioned(token, scene=scene)
        if noun:
            mentions.append((token, noun))
            if noun != NAME and _is_named(token, scene.annotation):
                chains.doubtful.add(noun)
        gender = gender_of(token.lower) if token.lower in PRONOUNS else None
        if gender is None or is_paired(token.span, scene.text):
            continue
        candidates = _candidates(token, mentions)
        if gender in last and _is_near(last[gender][0], token):
            candidates.add(last[gender][1])
        if len(candidates) != 1:
            far = {noun for _, noun in mentions if gender_of(noun) is gender}
            chains.doubtful.update(candidates or far | _following(token, scene=scene))
            chains.open.add(gender)
            continue
        [noun] = candidates
        chains.owned[noun].append(token)
        last[gender] = token, noun
    return chains


def pronoun_span(pronoun: Token) -> EditSpan:
    """Return the span of a pronoun with its role, by its tag and label."""
    return EditSpan(*pronoun.span, _role(pronoun))


def _role(token: Token) -> Role:
    word = token.lower
    if word in ("he", "she"):
        return Role.SUBJECT
    if word in ("himself", "herself"):
        return Role.REFLEXIVE
    if word == "him" or (word == "her" and token.tag != "PRP$"):
        return Role.OBJECT
    if word == "hers" or (word == "his" and token.dep != "poss"):
        return Role.POSSESSIVE
    return Role.DETERMINER


def mentioned(token: Token, *, scene: Scene) -> str | None:
    """Return a token that is a noun for one person, `NAME` for a name, None for any other."""
    word = token.lower
    if scene.text.startswith("-in-law", token.end):
        word += "-in-law"
    if token.tag in ("NN", "NNP") and (is_noun(word) or word in scene.lists.persons):
        return word
    if word in ("mr", "mr.", "mrs", "mrs.", "ms", "ms.") or is_person(token):
        return NAME
    return None


def _candidates(pronoun: Token, mentions: Sequence[tuple[Token, str]]) -> set[str]:
    """Return the nouns before a pronoun that it may belong to."""
    near = takewhile(lambda mention: _is_near(mention[0], pronoun), reversed(mentions))
    return {noun for _, noun in near if gender_of(noun) in (None, gender_of(pronoun.lower))}


def _is_near(token: Token, pronoun: Token) -> bool:
    back = pronoun.sentence - token.sentence
    return back <= SENTENCES_BACK and pronoun.paragraph == token.paragraph


def _following(pronoun: Token, *, scene: Scene) -> set[str]:
    """Return the nouns in the rest of a pronoun's sentence that it may belong to."""
    _, end = scene.annotation.sentences[pronoun.sentence]
    rest = scene.tokens[pronoun.number + 1 : end]
    nouns = (mentioned(token, scene=scene) for token in rest)
    fitting = (None, gender_of(pronoun.lower))
    return {noun for noun in nouns if noun and gender_of(noun) in fitting}


def _is_named(token: Token, annotation: Annotation) -> bool:
    """Return whether a noun has a name in apposition, or in brackets."""
    parted = annotation.word(token.number + 1) in (",", "(", ":")
    after = token.number + 1 + parted
    title = annotation.word(after).lower().rstrip(".") in ("mr", "mrs", "ms", "sir", "lady")
    if title or (parted and is_person(annotation.at(after))):
        return True
    related = [*token.children, token.head] if token.dep in _SAME else []
    return any(other.dep in _SAME and is_person(other) for other in related if other is not token)
