"""The annotation of a text by a pipeline, as plain data."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from .folding import fold
from .roles import Span

NOUNS = ("NN", "NNS", "NNP", "NNPS")
PLURAL_NOUNS = ("NNS", "NNPS")
SUBJECTS = ("nsubj", "nsubjpass")
"""How a subject depends on the verb of its predicate."""
PREDICATES = ("acomp", "attr", "oprd")
"""How a predicate noun depends on the verb."""
DETERMINERS = ("det", "poss")


class Token(NamedTuple):
    """A token: its span in the text, and its annotation.

    `tag` is that of the Penn Treebank, `head` the number of its head in the text (its own, for a
    root), `entity` the label of its named entity (empty for none), and `entity_start` the number of
    that entity's first token.
    """

    start: int
    end: int
    tag: str
    dep: str
    head: int
    lemma: str
    entity: str
    entity_start: int


@dataclass(frozen=True)
class Annotation:
    """The tokens of a text, and those of each sentence (first, and one past the last).

    A sentence that is too long to be parsed has no tokens.
    """

    text: str
    tokens: Sequence[Token]
    sentences: Sequence[tuple[int, int]]

    @cached_property
    def words(self) -> list[str]:
        """The visible text of each token."""
        return [fold(self.text[token.start : token.end]).text for token in self.tokens]

    @cached_property
    def lowered(self) -> list[str]:
        """The text of each token in lower case."""
        return [word.lower() for word in self.words]

    @cached_property
    def sentence_numbers(self) -> list[int]:
        """The number of the sentence of each token."""
        return [
            number for number, (first, end) in enumerate(self.sentences) for _ in range(end - first)
        ]

    @cached_property
    def children(self) -> list[list[int]]:
        """The numbers of the tokens that each token is the head of, from left to right."""
        children: list[list[int]] = [[] for _ in self.tokens]
        for number, token in enumerate(self.tokens):
            if token.head != number:
                children[token.head].append(number)
        return children

    def dependents(self, number: int, *deps: str) -> list[int]:
        """Return the children of a token that depend on it by one of these labels."""
        return [child for child in self.children[number] if self.tokens[child].dep in deps]

    @cached_property
    def entities(self) -> dict[int, tuple[int, int]]:
        """The first token, and one past the last, of each entity by its first token."""
        entities: dict[int, tuple[int, int]] = {}
        for number, token in enumerate(self.tokens):
            if token.entity:
                entities[token.entity_start] = (token.entity_start, number + 1)
        return entities

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    def inside(self, span: Span) -> range:
        """Return the numbers of the tokens that overlap a span."""
        start, end = span
        first = bisect_left(self._starts, start)
        if first and self.tokens[first - 1].end > start:
            first -= 1
        return range(first, bisect_left(self._starts, end))


class Annotating(Protocol):
    """A pipeline that annotates texts."""

    def annotate(self, text: str) -> Annotation:
        """Return the annotation of a text."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate texts together, which is faster than one by one."""
