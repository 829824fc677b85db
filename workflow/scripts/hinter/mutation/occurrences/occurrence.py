"""An occurrence of a source term in an annotated text, and the facts that rules use."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..annotation import NOUNS, Annotation, Token
from ..articles import is_right_before
from ..folding import LINE_BREAK, fold
from ..gendered import PRONOUNS, Gender, gender_of
from ..roles import EditSpan, Role, Span
from .lists import Lists


class Occurrence(NamedTuple):
    """A source term of an attribute at a span; `tokens` are the numbers of its tokens."""

    attribute: str
    source: str
    span: Span
    tokens: range


@dataclass(frozen=True)
class Scene:
    """A text as rules see it: its annotation, its terms of the dictionary, and word lists.

    `found` are the occurrences of all source terms, before any rule, by attribute and term, from
    left to right. A text may be long and contain a term thousands of times, so facts about the
    whole text are computed once.
    """

    annotation: Annotation
    found: Mapping[str, Mapping[str, Sequence[Span]]]
    lists: Lists
    _remembered: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text."""
        return self.annotation.text

    def found_text(self, occurrence: Occurrence) -> str:
        """Return the text of an occurrence."""
        return fold(self.text[slice(*occurrence.span)]).text

    def head(self, occurrence: Occurrence) -> int:
        """Return the number of the occurrence's last token, which in a phrase is its head."""
        return occurrence.tokens[-1]

    def token(self, occurrence: Occurrence) -> Token:
        """Return the last token of an occurrence."""
        return self.annotation.tokens[self.head(occurrence)]

    def is_noun(self, occurrence: Occurrence) -> bool:
        """Return whether an occurrence is a noun."""
        return self.token(occurrence).tag in NOUNS

    def sentence(self, occurrence: Occurrence) -> tuple[int, int]:
        """Return the first token, and one past the last, of an occurrence's sentence."""
        number = self.annotation.sentence_numbers[occurrence.tokens[0]]
        return self.annotation.sentences[number]

    def sentence_text(self, occurrence: Occurrence) -> str:
        """Return the sentence of an occurrence."""
        first, end = self.sentence(occurrence)
        tokens = self.annotation.tokens
        return self.text[tokens[first].start : tokens[end - 1].end]

    def pronoun_genders(self, occurrence: Occurrence) -> set[Gender | None]:
        """Return the genders of the pronouns in an occurrence's sentence and in adjacent ones."""
        words = self.annotation.lowered[slice(*self._sentences(occurrence))]
        return {gender_of(word) for word in words if word in PRONOUNS}

    def lemmas(self, occurrence: Occurrence) -> set[str]:
        """Return the lower-case lemmas of an occurrence's sentence and of adjacent ones."""
        return {self.lemma(number) for number in range(*self._sentences(occurrence))}

    @cached_property
    def all_lemmas(self) -> set[str]:
        """The lemmas of the text in lower case."""
        return {self.lemma(number) for number in range(len(self.annotation.tokens))}

    def remembered(self, what: str, occurrence: Occurrence, *, ask: Callable[[], bool]) -> bool:
        """Return the answer of `ask` for an occurrence's term in the whole text, computed once."""
        key = what, occurrence.attribute, occurrence.source
        if key not in self._remembered:
            self._remembered[key] = ask()
        return self._remembered[key]

    @cached_property
    def noun_forms(self) -> dict[str, set[str]]:
        """The forms of each noun in the text, by its lemma, all in lower case."""
        forms: dict[str, set[str]] = defaultdict(set)
        for number, token in enumerate(self.annotation.tokens):
            if token.tag in NOUNS:
                forms[self.lemma(number)].add(self.annotation.lowered[number])
        return forms

    @cached_property
    def inside_longer(self) -> dict[str, set[Span]]:
        """The spans of terms that lie inside a longer one of their attribute, by attribute."""
        return {attribute: _inside_longer(terms) for attribute, terms in self.found.items()}

    def _sentences(self, occurrence: Occurrence) -> tuple[int, int]:
        """Return the first token, and one past the last, of a sentence and its adjacent ones."""
        number = self.annotation.sentence_numbers[occurrence.tokens[0]]
        sentences = self.annotation.sentences[max(0, number - 1) : number + 2]
        filled = [sentence for sentence in sentences if sentence[0] < sentence[1]]
        return filled[0][0], filled[-1][1]

    def word(self, number: int) -> str:
        """Return the text of a token; empty beyond the end of the text."""
        words = self.annotation.words
        return words[number] if 0 <= number < len(words) else ""

    def lemma(self, number: int) -> str:
        """Return the lemma of a token in lower case."""
        return self.annotation.tokens[number].lemma.lower()

    def is_first(self, number: int) -> bool:
        """Return whether a token is the first word of its sentence or of a quotation."""
        first, _ = self.annotation.sentences[self.annotation.sentence_numbers[number]]
        before = self.annotation.words[first:number]
        words = any(map(str.isalpha, "".join(before)))
        return not words or before[-1] in _OPENING or before[-1].isdigit()

    def without(self, occurrence: Occurrence) -> str:
        """Return the text with all occurrences of a term blanked."""
        parts, position = [], 0
        for start, end in self.found[occurrence.attribute][occurrence.source]:
            parts += [self.text[position:start], "." * (end - start)]
            position = end
        return "".join([*parts, self.text[position:]])

    def article_before(self, number: int | None, start: int) -> tuple[EditSpan, ...]:
        """Return the place of a token if it is an indefinite article right before `start`."""
        if number is not None and self.annotation.lowered[number] in ("a", "an"):
            token = self.annotation.tokens[number]
            if is_right_before(fold(self.text[token.end : start]).text):
                return (EditSpan(token.start, token.end, Role.ARTICLE),)
        return ()

    @cached_property
    def paragraphs(self) -> list[int]:
        """The number of the paragraph of each token."""
        breaks = [match.start() for match in LINE_BREAK.finditer(self.text)]
        numbers, passed = [], 0
        for token in self.annotation.tokens:
            while passed < len(breaks) and breaks[passed] < token.start:
                passed += 1
            numbers.append(passed)
        return numbers


def _inside_longer(terms: Mapping[str, Sequence[Span]]) -> set[Span]:
    """Return the spans that are inside another one."""
    inside, furthest = set(), 0
    spans = {span for spans in terms.values() for span in spans}
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end <= furthest:
            inside.add((start, end))
        furthest = max(furthest, end)
    return inside


_OPENING = frozenset('"“‘«([:;•—–*-')
