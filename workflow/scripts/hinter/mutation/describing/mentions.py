"""Mentions of persons: a noun with its determiner, and the words between both.

They are found by the words that `config/persons.yaml` and the descriptors list.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from ..agreement import PRONOUNS, Gender, gender_of
from ..annotation import DETERMINERS, Annotation, Token
from ..combinations import DictionaryIndex
from ..occurrences import Scene
from ..plain import Span

_NOUNS = ("NN", "NNS")
_PARTICIPLES = ("VBG", "VBN")
_OWN = frozenset({"her", "his", "my"})
_TELLING = {*PRONOUNS, "mr", "mrs", "ms"}
_IMPLIED = {Gender.FEMININE: "female", Gender.MASCULINE: "male"}


@dataclass(frozen=True)
class PersonWords:
    """Nouns for persons, adjectives that stay next to a noun, and facts about descriptors.

    Descriptors of an attribute with a low rank are far from the noun; each is `excluded` by some
    implications of a text. `plurals` are the nouns that mean persons only in the plural.
    """

    nouns: frozenset[str]
    plurals: frozenset[str]
    classifying: frozenset[str]
    ranks: Mapping[str, int]
    excluded: Mapping[str, Collection[str]]

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any]) -> "PersonWords":
        """Return the words of a sheet of persons, and of the sheets of `descriptors`."""
        persons, described = sheet["persons"], sheet["descriptors"]
        plurals = (one["nouns"] for one in persons if "plural" in one["implies"])
        groups = [group for one in described for group in one["groups"].values()]
        return cls(
            frozenset(chain(*(one["nouns"] for one in persons))),
            frozenset(chain(*plurals)),
            frozenset(sheet["classifying"]),
            {one["attribute"]: one["rank"] for one in described},
            {word: group["excluded"] for group in groups for word in group["descriptors"]},
        )


class Inside(NamedTuple):
    """A descriptor between the determiner and the noun of a mention, with its tokens."""

    attribute: str
    source: str
    span: Span
    tokens: Sequence[Token]


class Mention(NamedTuple):
    """A noun for a person by its lemma, and its token.

    `alike` are all tokens of the text with this noun, `determiner` is its determiner (None without
    one), `modifiers` are the tokens between both, and `inside` the descriptors among these. `owned`
    says whether it is somebody's (*Tom's friend*). `implied` are the genders that words near the
    noun imply.
    """

    noun: str
    token: Token
    alike: Sequence[Token]
    determiner: Token | None = None
    modifiers: Sequence[Token] = ()
    owned: bool = False
    inside: tuple[Inside, ...] = ()
    implied: frozenset[str] = frozenset()

    @property
    def start(self) -> int:
        """The start of the first word after its determiner."""
        return (*self.modifiers, self.token)[0].start

    def own(self, attribute: str) -> list[Inside]:
        """Return the descriptors of an attribute."""
        return [one for one in self.inside if one.attribute == attribute]


def find_mentions(annotation: Annotation, *, words: PersonWords) -> Iterator[list[Mention]]:
    """Yield the mentions by each noun of a text, from left to right."""
    found: dict[str, list[Token]] = {}
    for token in annotation.tokens:
        many = token.tag == "NNS" or token.lemma not in words.plurals
        if token.tag in _NOUNS and token.lemma in words.nouns and many:
            found.setdefault(token.lemma, []).append(token)
    for alike in found.values():
        yield [_mention(token, tuple(alike), annotation, words) for token in alike]


def _mention(
    token: Token, alike: Sequence[Token], annotation: Annotation, words: PersonWords
) -> Mention:
    before = token.dependents(*DETERMINERS, "nummod")
    determiners = [child for child in before if child.number < token.number]
    if not determiners:
        return Mention(token.lemma, token, alike)
    last = determiners[-1]
    # The possessive ending (the man's) belongs to it.
    after = max(one.number for one in (last, *last.children)) + 1
    between = tuple(annotation.tokens[after : token.number])
    # Possessives that refer to one person.
    owned = any(
        one.lower in _OWN
        or one.entity == "PERSON"
        or (one.tag == "NN" and one.lemma in words.nouns)
        for one in determiners
        if one.dep == "poss"
    )
    return Mention(token.lemma, token, alike, last, between, owned)


def descriptors_inside(
    mention: Mention,
    annotation: Annotation,
    *,
    matched: Mapping[str, Sequence[Span]],
    index: DictionaryIndex,
    words: PersonWords,
) -> Iterator[Inside]:
    """Yield the descriptors between determiner and noun, given the `matched` sources."""
    for source in matched.keys() - words.nouns:
        for span in matched[source]:
            if mention.start <= span[0] and span[1] <= mention.token.start:
                for attribute, sources in index.by_source.items():
                    if source in sources:
                        yield Inside(attribute, source, span, annotation.inside(span))


def genders_near(tokens: Iterable[Token], annotation: Annotation) -> frozenset[str]:
    """Return the genders, as in sheets, that words in the nouns' and adjacent sentences imply."""
    near = {one.lower.rstrip(".") for token in tokens for one in annotation.around(token)}
    genders = map(gender_of, near & _TELLING)
    return frozenset(_IMPLIED[gender] for gender in genders if gender)


def first_near(mention: Mention, scene: Scene, *, words: PersonWords, rank: int) -> Token:
    """Return the token that a descriptor of a rank precedes: the noun or a modifier of it.

    Nouns, participles, nationalities and classifying adjectives stay next to the noun, and so do
    descriptors of a higher rank.
    """
    later = {
        token for one in mention.inside if words.ranks[one.attribute] > rank for token in one.tokens
    }
    for token in mention.modifiers:
        # A modifier of a modifier stays with it.
        own = token.number < token.head.number < mention.token.number
        # A word before a hyphen belongs to the word after it (a toll-gate official).
        joined = not scene.text[token.start - 1].isspace()
        if token in later or (_stays(token.head if own else token, words=words) and not joined):
            return token
    return mention.token


def _stays(token: Token, *, words: PersonWords) -> bool:
    """Return whether nothing is inserted between a modifier and the noun."""
    return (
        token.dep in ("compound", "nmod")
        or token.entity in ("LANGUAGE", "NORP")
        or token.tag in (*_NOUNS, *_PARTICIPLES)
        or token.lower in words.classifying
    )
