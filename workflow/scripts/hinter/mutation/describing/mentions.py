"""Mentions of persons: a noun with its determiner, and the words between both.

They are found by the words that `config/persons.yaml` and the descriptors list.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..annotation import DETERMINERS, Annotation
from ..dictionary_index import DictionaryIndex
from ..gendered import PRONOUNS, Gender, gender_of
from ..occurrences import Scene
from ..roles import Span

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
        described = [
            (descriptor, group["excluded"])
            for descriptors in sheet["descriptors"]
            for group in descriptors["groups"].values()
            for descriptor in group["descriptors"]
        ]
        return cls(
            frozenset(noun for block in sheet["persons"] for noun in block["nouns"]),
            frozenset(
                noun
                for block in sheet["persons"]
                for noun in block["nouns"]
                if "plural" in block["implies"]
            ),
            frozenset(sheet["classifying"]),
            {one["attribute"]: one["rank"] for one in sheet["descriptors"]},
            dict(described),
        )


class Inside(NamedTuple):
    """A descriptor between the determiner and the noun of a mention, with its tokens."""

    attribute: str
    source: str
    span: Span
    tokens: range


class Mention(NamedTuple):
    """A noun for a person by its lemma and the number of its token.

    `alike` are the numbers of all tokens of the text with this noun, `determiner` is the number of
    its determiner (None without one), `modifiers` are the tokens between both, and `inside` the
    descriptors among these. `owned` says whether it is somebody's (*Tom's friend*). `implied` are
    the genders that words near the noun imply.
    """

    noun: str
    number: int
    alike: tuple[int, ...]
    determiner: int | None
    modifiers: range
    owned: bool = False
    inside: tuple[Inside, ...] = ()
    implied: frozenset[str] = frozenset()

    def own(self, attribute: str) -> list[Inside]:
        """Return the descriptors of an attribute."""
        return [one for one in self.inside if one.attribute == attribute]


def find_mentions(annotation: Annotation, *, words: PersonWords) -> Iterator[list[Mention]]:
    """Yield the mentions by each noun of a text, from left to right."""
    found: dict[str, list[int]] = {}
    for number, token in enumerate(annotation.tokens):
        noun = token.lemma.lower()
        many = token.tag == "NNS" or noun not in words.plurals
        if token.tag in _NOUNS and noun in words.nouns and many:
            found.setdefault(noun, []).append(number)
    for noun, numbers in found.items():
        alike = tuple(numbers)
        yield [_mention(noun, number, alike, annotation, words) for number in numbers]


def _mention(
    noun: str, number: int, alike: tuple[int, ...], annotation: Annotation, words: PersonWords
) -> Mention:
    before = annotation.dependents(number, *DETERMINERS, "nummod")
    determiners = [child for child in before if child < number]
    if not determiners:
        return Mention(noun, number, alike, None, range(number, number))
    last = determiners[-1]
    # The possessive ending (the man's) belongs to it.
    after = max([last, *annotation.children[last]]) + 1
    owned = any(_owns(determiner, annotation, words) for determiner in determiners)
    return Mention(noun, number, alike, last, range(min(after, number), number), owned)


def _owns(number: int, annotation: Annotation, words: PersonWords) -> bool:
    """Return whether a possessive refers to one person."""
    token = annotation.tokens[number]
    return token.dep == "poss" and (
        annotation.lowered[number] in _OWN
        or token.entity == "PERSON"
        or (token.tag == "NN" and token.lemma.lower() in words.nouns)
    )


def descriptors_inside(
    mention: Mention,
    annotation: Annotation,
    *,
    matched: Mapping[str, Sequence[Span]],
    index: DictionaryIndex,
    words: PersonWords,
) -> Iterator[Inside]:
    """Yield the descriptors between determiner and noun, given the `matched` sources."""
    start = annotation.tokens[mention.modifiers.start].start
    end = annotation.tokens[mention.number].start
    for source in matched.keys() - words.nouns:
        for span in matched[source]:
            if start <= span[0] and span[1] <= end:
                for attribute, sources in index.by_source.items():
                    if source in sources:
                        yield Inside(attribute, source, span, annotation.inside(span))


def genders_near(numbers: Iterable[int], annotation: Annotation) -> frozenset[str]:
    """Return the genders, as in sheets, that words in the nouns' and adjacent sentences imply."""
    edit_spans = {annotation.sentence_numbers[number] for number in numbers}
    near = {
        span
        for span_of_edit in edit_spans
        for span in annotation.sentences[max(0, span_of_edit - 1) : span_of_edit + 2]
    }
    words = {word.rstrip(".") for first, end in near for word in annotation.lowered[first:end]}
    genders = map(gender_of, words & _TELLING)
    return frozenset(_IMPLIED[gender] for gender in genders if gender)


def first_near(mention: Mention, scene: Scene, *, words: PersonWords, rank: int) -> int:
    """Return the token that a descriptor of a rank precedes: the noun or a modifier of it.

    Nouns, participles, nationalities and classifying adjectives stay next to the noun, and so do
    descriptors of a higher rank.
    """
    later = {
        number
        for one in mention.inside
        if words.ranks[one.attribute] > rank
        for number in one.tokens
    }
    near = (
        number
        for number in mention.modifiers
        if number in later or _stays(number, mention, scene, words=words)
    )
    return min([mention.number, *near])


def _stays(number: int, mention: Mention, scene: Scene, *, words: PersonWords) -> bool:
    """Return whether a modifier stays next to the noun, as its own modifiers also do."""
    token = scene.annotation.tokens[number]
    joined = not scene.text[token.start - 1].isspace()
    if number < token.head < mention.number:
        # A word before a hyphen belongs to the word after it (a toll-gate official).
        return _classifies(token.head, scene, words=words) and not joined
    return _classifies(number, scene, words=words) and not joined


def _classifies(number: int, scene: Scene, *, words: PersonWords) -> bool:
    token = scene.annotation.tokens[number]
    return (
        token.dep in ("compound", "nmod")
        or token.entity in ("LANGUAGE", "NORP")
        or token.tag in (*_NOUNS, *_PARTICIPLES)
        or scene.annotation.lowered[number] in words.classifying
    )
