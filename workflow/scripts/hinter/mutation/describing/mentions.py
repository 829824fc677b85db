"""Mentions of persons: a noun with its determiner, and what stands between both."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from ..annotation import Annotation
from ..dictionary_index import DictionaryIndex
from ..gendered import PRONOUNS, Gender, gender_of
from ..occurrences import Scene
from ..roles import Span
from .words import PersonWords

_DETERMINERS = ("det", "nummod", "poss")
_NOUNS = ("NN", "NNS")
_IMPLIED = {Gender.FEMININE: "female", Gender.MASCULINE: "male"}


class Inside(NamedTuple):
    """A descriptor between the determiner and the noun of a mention, with its tokens."""

    attribute: str
    source: str
    span: Span
    tokens: range


class Mention(NamedTuple):
    """A noun for a person by its lemma and the number of its token.

    `determiner` is the number of the token that determines it, None where nothing does, `modifiers`
    are the tokens between both, and `inside` the descriptors among these. `implied` are the genders
    that pronouns near the noun imply.
    """

    noun: str
    number: int
    determiner: int | None
    modifiers: range
    inside: tuple[Inside, ...] = ()
    implied: frozenset[str] = frozenset()

    def own(self, attribute: str) -> list[Inside]:
        """Return the descriptors of an attribute."""
        return [one for one in self.inside if one.attribute == attribute]


def find_mentions(annotation: Annotation, *, words: PersonWords) -> Iterator[Mention]:
    """Yield the first mention by each noun of a text, from left to right."""
    seen: set[str] = set()
    for number, token in enumerate(annotation.tokens):
        noun = token.lemma.lower()
        if token.tag in _NOUNS and noun in words.nouns and noun not in seen:
            seen.add(noun)
            yield _mention(noun, number, annotation)


def _mention(noun: str, number: int, annotation: Annotation) -> Mention:
    determiners = [
        child
        for child in annotation.children[number]
        if child < number and annotation.tokens[child].dep in _DETERMINERS
    ]
    if not determiners:
        return Mention(noun, number, None, range(number, number))
    last = determiners[-1]
    # The sign of a possessive (the man's) belongs to it.
    after = max([last, *annotation.children[last]]) + 1
    return Mention(noun, number, last, range(min(after, number), number))


def descriptors_inside(
    mention: Mention,
    annotation: Annotation,
    *,
    matched: Mapping[str, Sequence[Span]],
    index: DictionaryIndex,
    words: PersonWords,
) -> Iterator[Inside]:
    """Yield the descriptors between determiner and noun, given where all sources were `matched`."""
    start = annotation.tokens[mention.modifiers.start].start
    end = annotation.tokens[mention.number].start
    for source in matched.keys() - words.nouns:
        for span in matched[source]:
            if start <= span[0] and span[1] <= end:
                for attribute, sources in index.by_source.items():
                    if source in sources:
                        yield Inside(attribute, source, span, annotation.inside(span))


def genders_near(number: int, annotation: Annotation) -> frozenset[str]:
    """Return the genders, as sheets name them, of the pronouns in and beside a noun's sentence."""
    sentence = annotation.sentence_numbers[number]
    near = annotation.sentences[max(0, sentence - 1) : sentence + 2]
    words = {word for first, end in near for word in annotation.lowered[first:end]}
    genders = map(gender_of, words.intersection(PRONOUNS))
    return frozenset(_IMPLIED[gender] for gender in genders if gender)


def first_near(mention: Mention, scene: Scene, *, words: PersonWords, rank: int) -> int:
    """Return the token that a descriptor of a rank goes before: the noun or a modifier of it.

    Nouns, nationalities and classifying adjectives stay next to the noun, and so do
    descriptors of a higher rank.
    """
    later = {
        number
        for one in mention.inside
        if words.ranks[one.attribute] > rank
        for number in one.tokens
    }
    near = takewhile(
        lambda number: number in later or _stays(number, scene, words=words),
        reversed(mention.modifiers),
    )
    return min([mention.number, *near])


def _stays(number: int, scene: Scene, *, words: PersonWords) -> bool:
    token = scene.annotation.tokens[number]
    joined = not scene.text[token.start - 1].isspace()
    classifies = (
        token.dep == "compound"
        or token.entity in ("LANGUAGE", "NORP")
        or token.tag in _NOUNS
        or scene.lemma(number) in words.classifying
    )
    return classifies and not joined
