"""The annotation of a text by a pipeline: linked tokens, as plain data."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Protocol

from .agreement import EditSpan, Role, is_right_before
from .plain import LINE_BREAK, Span, fold

NOUNS = ("NN", "NNS", "NNP", "NNPS")
PLURAL_NOUNS = ("NNS", "NNPS")
SUBJECTS = ("nsubj", "nsubjpass")
"""How a subject depends on the verb of its predicate."""
PREDICATES = ("acomp", "attr", "oprd")
"""How a predicate noun depends on the verb."""
DETERMINERS = ("det", "poss")
_OPENING = frozenset('"“‘«([:;•—–*-')


@dataclass(eq=False, slots=True)
class Token:
    """A word or sign of a text: its number, its span, and its annotation.

    `tag` is that of the Penn Treebank, `head` the token that it depends on by the label `dep`
    (itself, for a root), `entity` the label of its named entity (empty for none), and `named` the
    tokens of that entity. `word` is its visible text; `lower` and `lemma` are in lower case.
    """

    number: int
    start: int
    end: int
    tag: str
    dep: str
    lemma: str
    entity: str
    word: str
    lower: str
    sentence: int
    paragraph: int
    head: "Token" = field(init=False)
    children: Sequence["Token"] = ()
    named: Sequence["Token"] = ()

    @property
    def span(self) -> Span:
        """Start and end."""
        return self.start, self.end

    def dependents(self, *deps: str) -> list["Token"]:
        """Return the children that depend on it by one of these labels."""
        return [child for child in self.children if child.dep in deps]

    def path(self) -> Iterator["Token"]:
        """Yield the token and those above it in its tree."""
        token = self
        while token.head is not token:
            yield token
            token = token.head
        yield token


@dataclass(frozen=True)
class Annotation:
    """The tokens of a text, and the first token, and one past the last, of each sentence.

    A sentence that is too long to be parsed has no tokens.
    """

    text: str
    tokens: Sequence[Token]
    sentences: Sequence[tuple[int, int]]

    @classmethod
    def of_rows(
        cls, text: str, rows: Sequence[Sequence[Any]], sentences: Sequence[tuple[int, int]]
    ) -> "Annotation":
        """Return the annotation of a text, given a row for each token.

        A row has start, end, tag, dep, the number of the head, lemma, entity, and the number of the
        entity's first token.
        """
        breaks = [found.start() for found in LINE_BREAK.finditer(text)]
        inside = (
            number for number, (first, end) in enumerate(sentences) for _ in range(first, end)
        )
        tokens: list[Token] = []
        for (start, end, tag, dep, _, lemma, entity, _), sentence in zip(rows, inside, strict=True):
            about = (tag, dep, lemma.lower(), entity, *_forms(text[start:end]), sentence)
            tokens.append(Token(len(tokens), start, end, *about, bisect_left(breaks, start)))
        children, named = defaultdict[int, list[Token]](list), defaultdict[int, list[Token]](list)
        for token, (_, _, _, _, head, _, entity, first) in zip(tokens, rows, strict=True):
            token.head = tokens[head]
            if head != token.number:
                children[head].append(token)
            if entity:
                named[first].append(token)
                token.named = named[first]
        for number, own in children.items():
            tokens[number].children = own
        return cls(text, tokens, sentences)

    def at(self, number: int) -> Token | None:
        """Return the token of a number; None beyond the end of the text."""
        return self.tokens[number] if 0 <= number < len(self.tokens) else None

    def word(self, number: int) -> str:
        """Return the text of the token of a number; empty beyond the end of the text."""
        token = self.at(number)
        return token.word if token else ""

    def inside(self, span: Span) -> Sequence[Token]:
        """Return the tokens that overlap a span."""
        start, end = span
        first = bisect_left(self._starts, start)
        if first and self.tokens[first - 1].end > start:
            first -= 1
        return self.tokens[first : bisect_left(self._starts, end)]

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    def sentence(self, token: Token) -> Sequence[Token]:
        """Return the tokens of a token's sentence."""
        return self.tokens[slice(*self.sentences[token.sentence])]

    def around(self, token: Token) -> Sequence[Token]:
        """Return the tokens of a token's sentence and of the adjacent ones."""
        near = self.sentences[max(0, token.sentence - 1) : token.sentence + 2]
        return self.tokens[near[0][0] : near[-1][1]]

    def is_first(self, token: Token) -> bool:
        """Return whether a token is the first word of its sentence or of a quotation."""
        first, _ = self.sentences[token.sentence]
        before = [other.word for other in self.tokens[first : token.number]]
        words = any(map(str.isalpha, "".join(before)))
        return not words or before[-1] in _OPENING or before[-1].isdigit()

    def article_before(self, token: Token | None, start: int) -> tuple[EditSpan, ...]:
        """Return the span of a token if it is an indefinite article right before `start`."""
        if token is None or token.lower not in ("a", "an"):
            return ()
        together = is_right_before(fold(self.text[token.end : start]).text)
        return (EditSpan(*token.span, Role.ARTICLE),) if together else ()


# Most words of a text are frequent ones.
@lru_cache(maxsize=1 << 15)
def _forms(word: str) -> tuple[str, str]:
    """Return the visible text of a word, and that in lower case."""
    shown = fold(word).text
    return shown, shown.lower()


class Annotating(Protocol):
    """A pipeline that annotates texts."""

    def annotate(self, text: str) -> Annotation:
        """Return the annotation of a text."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Annotate texts together, which is faster than one by one."""
